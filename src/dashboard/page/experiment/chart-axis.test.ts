import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitText, xOfPlace, xOfTime, zoomInTime, zoomInView } from './chart-axis.ts';

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
