import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepExtremes, thinOut } from './thinning.ts';

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

test('few values are all kept', () => {
  assert.deepEqual([...keepExtremes([3, 1, 2], 3)], [0, 1, 2]);
  assert.deepEqual([...keepExtremes([], 10)], []);
});

test('of many, both ends and everything that stands out stay, in order', () => {
  const values = new Float64Array(100_000).fill(5);
  values[12_345] = 9;
  values[70_001] = -3;
  values[50_000] = Number.NaN;
  const kept = [...keepExtremes(values, 2_000)];
  assert.ok(kept.length <= 2_000);
  assert.deepEqual([kept[0], kept.at(-1)], [0, 99_999]);
  assert.ok(kept.includes(12_345) && kept.includes(70_001));
  assert.deepEqual(
    kept,
    [...new Set(kept)].sort((a, b) => a - b),
  );
});

test('a stretch without values leaves a gap', () => {
  const values = new Float64Array(100).fill(Number.NaN, 0, 50);
  assert.deepEqual([...keepExtremes(values, 6)], [0, 50, 99]);
});
