import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeriesView } from '../../app/read-values.ts';
import { sparkline } from './sparkline.ts';

const series = (values: Record<string, number>): SeriesView => ({
  path: ['a'],
  unit: 's',
  better: 'lower',
  times: Object.keys(values).map(Number),
  values: Object.values(values),
  runIds: Object.keys(values),
});
const nights = (count: number, failed: readonly number[] = []) =>
  Array.from({ length: count }, (_, index) => ({ runId: String(index), hasFailed: failed.includes(index) }));

test('a night without a value is a gap, a failed one a cross', () => {
  const svg = sparkline(series({ 0: 1, 1: 2, 3: 1, 4: 3 }), nights(5, [2])).toString();
  assert.equal(svg.match(/<polyline/g)?.length, 2);
  assert.equal(svg.match(/class="cross"/g)?.length, 1);
  assert.match(
    svg.replaceAll('\u202f', ' '),
    /aria-label="4 of 5 nights: lowest 1\.00 s, highest 3\.00 s, 1 failed"/,
  );
});

test('no values is a word, not a flat line', () => {
  assert.match(sparkline(series({}), nights(3)).toString(), /no values in 3 nights/);
});

test('one value, equal values and enormous ones stay inside of the picture', () => {
  for (const values of [{ 0: 5 }, { 0: 5, 1: 5 }, { 0: -1.7e308, 1: 1.7e308 }]) {
    assert.ok(!/NaN|Infinity/.test(sparkline(series(values), nights(2)).toString()));
  }
});
