import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thinOut } from './thin-out.ts';

test('first, lowest, highest and last of each column of pixels are kept, in order', () => {
  const xs = Float64Array.from([0, 0.2, 0.4, 0.6, 0.8, 1, 1.5]);
  const ys = Float64Array.from([5, 9, 6, 1, 5, 3, 3]);
  assert.deepEqual(thinOut(xs, ys), [0, 1, 3, 4, 5, 6]);
});

test('a gap stays a gap, once', () => {
  const xs = Float64Array.from([0, 1, 2, 3, 4]);
  assert.deepEqual(thinOut(xs, Float64Array.from([1, Number.NaN, Number.NaN, 2, 3])), [0, 1, 3, 4]);
});

test('ten thousand points become a few for each pixel, and a single spike is among them', () => {
  const xs = Float64Array.from({ length: 10_000 }, (_, index) => index / 12.5);
  const ys = Float64Array.from({ length: 10_000 }, (_, index) => (index === 7_777 ? 99 : index % 3));
  const kept = thinOut(xs, ys);
  assert.ok(kept.length <= 4 * 801, String(kept.length));
  assert.ok(kept.includes(7_777));
});
