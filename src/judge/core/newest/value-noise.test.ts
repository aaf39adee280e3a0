import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolutionOf } from './value-noise.ts';

test('is one of the last decimal that any value shows', () => {
  assert.equal(resolutionOf(Float64Array.of(12, 13)), 1);
  assert.equal(resolutionOf(Float64Array.of(12, 13.25, 14.5)), 0.01);
  assert.equal(resolutionOf(Float64Array.of(1.2e-9, 1e-9)), 1e-10);
  assert.equal(resolutionOf(Float64Array.of(1e21)), 1);
  assert.ok(resolutionOf(Float64Array.of(1 / 3)) < 1e-15);
});
