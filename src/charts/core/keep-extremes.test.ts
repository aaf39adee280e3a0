import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepExtremes } from './keep-extremes.ts';

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
