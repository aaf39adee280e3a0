import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartSeries, hiddenByLog } from './chart-series.ts';

const view = {
  ...{ path: ['a'], unit: 's', better: 'lower' as const, count: 4, changes: [] },
  places: [0, 1, 2, 3],
  values: [1, null, -2, 2],
  levels: [
    { from: 10, to: 20, value: 1, low: 0.9, high: 1.1, count: 2 },
    { from: 30, to: 40, value: 2, count: 1 },
  ],
};
const times = [10, 20, 30, 40];
const input = {
  ...{ view, name: 'a', isLog: false },
  xOfPlace: (place: number) => times[place] ?? Number.NaN,
  xOfTime: (at: number) => at,
};

test('levels are lines with a gap between them, runs are dots', () => {
  const [levels, dots] = chartSeries(input);
  assert.deepEqual(levels?.times, [10, 20, 25, 30, 40]);
  assert.deepEqual(levels?.values, [1, 1, Number.NaN, 2, 2]);
  assert.deepEqual(levels?.low, [0.9, 0.9, Number.NaN, 2, 2]);
  assert.deepEqual(dots?.values, [1, Number.NaN, -2, 2]);
  assert.deepEqual([dots?.isDots, levels?.isBackdrop], [true, true]);
});

test('so many dots that they would cover the levels lie behind them', () => {
  const places = Array.from({ length: 301 }, (_, place) => place);
  const many = { ...view, count: 301, places, values: places.map(() => 1) };
  const names = (input: Parameters<typeof chartSeries>[0]) => chartSeries(input).map(({ name }) => name);
  assert.deepEqual(names({ ...input, view: many, xOfPlace: (place) => place }), ['a', 'level']);
  assert.deepEqual(names(input), ['level', 'a']);
});

test('what an axis of powers cannot show is a gap, and counted', () => {
  assert.deepEqual(chartSeries({ ...input, isLog: true })[1]?.values, [1, Number.NaN, Number.NaN, 2]);
  assert.equal(hiddenByLog(view), 1);
});
