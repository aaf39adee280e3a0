import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../stats/random.ts';
import { icpeEstimate, winsorizeOne } from './other-estimators.ts';

const winsorized = (...values: number[]) => [...winsorizeOne(Float64Array.from(values))];

test('one value more than a fifth of the range of the others beyond them becomes its neighbour', () => {
  assert.deepEqual(winsorized(1, 1.1, 1.0, 2), [1, 1.1, 1.0, 1.1]);
  assert.deepEqual(winsorized(0.5, 1.1, 1.0), [1.0, 1.1, 1.0]);
  assert.deepEqual(winsorized(0, 10, 12), [10, 10, 12], 'the lower one is further out');
  assert.deepEqual(winsorized(0, 10, 11.9), [10, 10, 11.9]);
});

test('at a fifth of the range it stays, and so do few and equal values', () => {
  assert.deepEqual(winsorized(0, 4, 20, 24), [0, 4, 20, 24]);
  assert.deepEqual(winsorized(1, 5), [1, 5]);
  assert.deepEqual(winsorized(2, 2, 2), [2, 2, 2]);
});

test('at most one is replaced, the one further out', () => {
  assert.deepEqual(winsorized(0, 10, 10.5, 11, 30), [0, 10, 10.5, 11, 11]);
});

test('the estimate is the geometric mean of the runs, with an interval at 99 %', () => {
  const means = Float64Array.of(1.01, 1.02, 0.99, 1.0, 1.03, 1.02);
  const estimate = icpeEstimate(means, seededRandom(1)) ?? assert.fail();
  const expected = means.reduce((product, mean) => product * mean, 1) ** (1 / 6);
  assert.ok(Math.abs(estimate.ratio - expected) < 1e-12);
  assert.ok(estimate.low < estimate.ratio && estimate.ratio < estimate.high);
  assert.equal(estimate.equal, estimate.low <= 1 && estimate.high >= 1);
  assert.equal(icpeEstimate(Float64Array.of(1), seededRandom(1)), undefined);
  assert.deepEqual(icpeEstimate(Float64Array.of(1, 1), seededRandom(1)), {
    ratio: 1,
    low: 1,
    high: 1,
    equal: true,
  });
});
