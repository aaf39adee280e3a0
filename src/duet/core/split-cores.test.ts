import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitCores } from './split-cores.ts';

test('the sides share no physical core', () => {
  const halves = splitCores([
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ]);
  assert.deepEqual(halves, [
    [0, 4, 2, 6],
    [1, 5, 3, 7],
  ]);
});

test('an odd core stays unused, and halves are of one size', () => {
  assert.deepEqual(splitCores([[0], [1], [2]]), [[0], [1]]);
  assert.deepEqual(splitCores([[0, 1], [2]]), [[0], [2]]);
});

test('threads of the only physical core are better than nothing', () => {
  assert.deepEqual(splitCores([[0, 1]]), [[0], [1]]);
});

test('one core cannot be halved', () => {
  assert.equal(splitCores([[3]]), undefined);
  assert.equal(splitCores([]), undefined);
});
