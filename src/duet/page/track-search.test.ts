import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iterationAt, trackEnd } from './track-search.ts';

const track = { numbers: [1, 2, 3], starts: [0, 10, 20], times: [5, 10, 7], warmup: 1 };

test('the iteration that ran at a time is found, and none in a pause', () => {
  assert.deepEqual(
    [-1, 0, 4, 5, 10, 19, 20, 26, 27].map((at) => iterationAt(track, at)),
    [-1, 0, 0, -1, 1, 1, 2, 2, -1],
  );
  assert.equal(trackEnd(track), 27);
});

test('a track without timestamps has no iteration anywhere', () => {
  const { starts: _, ...without } = track;
  assert.deepEqual([iterationAt(without, 3), trackEnd(without)], [-1, 0]);
});
