import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangePoint, Level } from '../levels/levels.ts';
import { windowSeries } from './explained-series.ts';

const level = (start: number, end: number): Level => ({
  start,
  end,
  value: start,
  scale: 1,
  count: end - start,
});
const shift = { difference: 1, low: 0, high: 2, level: 0.95 };
const [a, b, c] = [level(0, 100), level(100, 400), level(400, 1000)];
const changes: readonly ChangePoint[] = [
  { index: 100, before: a, after: b, shift, p: 0 },
  { index: 400, before: b, after: c, shift, p: 0 },
];
const values = Float64Array.from({ length: 1000 }, (_, index) => index);
const levels = { levels: [a, b, c], changes, modes: [], noise: { scale: 1, correlation: 0 } };

function windowAt(change: ChangePoint | undefined, most: number) {
  return windowSeries({ values, levels, change: change ?? assert.fail() }, most);
}

test('a short series is taken as it is', () => {
  const { start, series } = windowAt(changes[1], 1000);
  assert.equal(start, 0);
  assert.equal(series.values, values);
});

test('of a long series the points around the change are taken, levels and places with them', () => {
  const { start, series } = windowAt(changes[1], 200);
  assert.equal(start, 300);
  assert.deepEqual([series.values[0], series.values.length], [300, 200]);
  assert.equal(series.change.index, 100);
  assert.deepEqual(
    series.levels.levels.map((it) => [it.start, it.end]),
    [
      [0, 100],
      [100, 200],
    ],
  );
  assert.deepEqual([series.change.before.start, series.change.after.end], [0, 200]);
  assert.equal(series.levels.changes.length, 1);
});

test('near the beginning and the end the window is as long', () => {
  assert.equal(windowAt(changes[0], 400).start, 0);
  const late = { index: 999, before: level(400, 999), after: level(999, 1000), shift, p: 0 };
  const { start, series } = windowAt(late, 400);
  assert.deepEqual([start, series.change.index, series.values.length], [600, 399, 400]);
});
