import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareNewest } from './compare-newest.ts';

const twenty = Array.from({ length: 20 }, (_, index) => 10 + (index % 5));

test('nothing is compared with nothing', () => {
  assert.equal(compareNewest([]), undefined);
  assert.equal(compareNewest([1]), undefined);
});

test('with few earlier values there is a difference but no position', () => {
  assert.deepEqual(compareNewest([10, 20, 30]), { median: 15, earlier: 2, position: 'unknown', ratio: 1 });
});

test('says where the newest stands among twenty', () => {
  assert.equal(compareNewest([...twenty, 14])?.position, 'within');
  assert.equal(compareNewest([...twenty, 14.01])?.position, 'above');
  assert.equal(compareNewest([...twenty, 9])?.position, 'below');
  assert.equal(compareNewest([...twenty, 9])?.ratio, -0.25);
});

test('a ratio keeps its sign below zero and is absent at zero', () => {
  assert.equal(compareNewest([-10, -5])?.ratio, 0.5);
  assert.deepEqual(compareNewest([0, 5]), { median: 0, earlier: 1, position: 'unknown' });
});

test('values equal to each other have no position outside', () => {
  assert.equal(compareNewest(new Float64Array(25).fill(3))?.position, 'within');
});
