import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thinned } from './thinned.ts';

test('a short line is kept as it is', () => {
  assert.deepEqual(thinned([3, 1, 2], 10), [0, 1, 2]);
  assert.deepEqual(thinned([], 10), []);
});

test('a long line keeps its ends and every outlier, in order', () => {
  const values = Array.from({ length: 10_000 }, (_, index) => Math.sin(index));
  values[5000] = 99;
  values[7777] = -99;
  const kept = thinned(values, 400);
  assert.ok(kept.length <= 402, `${kept.length}`);
  for (const index of [0, 5000, 7777, 9999]) assert.ok(kept.includes(index), `${index}`);
  assert.deepEqual(
    kept,
    kept.toSorted((a, b) => a - b),
  );
});
