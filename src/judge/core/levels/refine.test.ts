import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refine } from './refine.ts';
import { sumsOf } from './sums.ts';

test('refine finds the best single place between two levels', () => {
  const values = Float64Array.from({ length: 60 }, (_, i) => (i < 25 ? 0 : 6) + Math.sin(7 * i));
  const weights = new Float64Array(60).fill(1);
  const clean = { values, raw: values, weights, centre: 0, scale: 1 };
  const room = { first: 3, last: 57 };
  assert.equal(refine(clean, sumsOf(values, weights), { from: 0, at: 20, to: 60, room }), 25);
});
