import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chartSeries,
  commitText,
  hiddenByLog,
  xOfPlace,
  xOfTime,
  zoomInTime,
  zoomInView,
} from './chart-data.ts';

const runs = {
  ids: ['a', 'b', 'c', 'd'],
  times: [10, 20, 30, 40],
  ...{ failed: [], failedCount: 0, machines: [], machineNames: [] },
  commits: [0, 0, 1, -1],
  commitSets: [{ repo: '1f' }, { lib: '7', repo: '2f' }],
};

test('x is the time of a run, or its place', () => {
  assert.deepEqual([xOfPlace(runs, 'time')(2), xOfPlace(runs, 'commit')(2)], [30, 2]);
  assert.deepEqual([xOfTime(runs, 'commit')(25), xOfTime(runs, 'commit')(99)], [2, 3]);
});

test('a stretch of time is the same on both axes', () => {
  assert.deepEqual(zoomInView([15, 30], runs, 'commit'), [0.5, 2.5]);
  assert.deepEqual(zoomInTime([0.5, 2.5], runs, 'commit'), [20, 30]);
  assert.deepEqual(zoomInView([15, 30], runs, 'time'), [15, 30]);
  assert.equal(zoomInTime([0.2, 0.4], runs, 'commit'), undefined);
});

test('without a stretch all runs are in view; one run stands in the middle of a day', () => {
  assert.deepEqual(zoomInView(undefined, runs, 'commit'), [-0.5, 3.5]);
  assert.deepEqual(zoomInView(undefined, runs, 'time'), [9.7, 40.3]);
  assert.deepEqual(zoomInView(undefined, { ...runs, times: [50_000_000] }, 'time'), [6_800_000, 93_200_000]);
});

test('a run is named by its commits', () => {
  assert.deepEqual(
    [0, 2, 3].map((place) => commitText(runs, place)),
    ['1f', 'lib 7, repo 2f', ''],
  );
});

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
