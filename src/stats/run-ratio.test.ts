import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLogRatio } from './run-ratio.ts';

test('a fifth of the pairs is left out at either end', () => {
  assert.equal(runLogRatio(Float64Array.of(9, 1, 2, 3, -50)), 2);
  assert.equal(runLogRatio(Float64Array.of(0.1, 0.1, 0.1)), 0.1);
  assert.equal(runLogRatio(Float64Array.of(0.5)), 0.5);
  assert.equal(runLogRatio(Float64Array.of(1, 2)), 1.5);
});

test('a part of a pair is left out when a fifth is no whole number', () => {
  // Of 3 pairs 0.6 go at either end: (0.4 * 0 + 1 * 1 + 0.4 * 5) / 1.8.
  assert.ok(Math.abs(runLogRatio(Float64Array.of(5, 0, 1)) - 3 / 1.8) < 1e-12);
});

test('a weight counts as that many equal pairs', () => {
  const weighted = runLogRatio(Float64Array.of(1, 2, 7), Float64Array.of(2, 3, 1));
  assert.ok(Math.abs(weighted - runLogRatio(Float64Array.of(1, 1, 2, 2, 2, 7))) < 1e-12);
});
