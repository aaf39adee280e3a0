import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratioBins } from './pair-ratios.ts';

test('every ratio is in a bin or counted beside them', () => {
  const logs = Float64Array.from({ length: 10_000 }, (_, index) => Math.log(1 + (index % 100) / 1000));
  logs[0] = 5;
  logs[1] = -5;
  const bins = ratioBins(logs);
  assert.ok(bins);
  const inside = bins.counts.reduce((sum, count) => sum + count, 0);
  assert.equal(inside + bins.below + bins.above, 10_000);
  assert.deepEqual([bins.below, bins.above], [1, 1]);
  assert.ok(bins.from < 1 && bins.from > 0.99 && bins.to > 1.099 && bins.to < 1.11);
});

test('one value has bins around it, none has none', () => {
  assert.equal(ratioBins(new Float64Array([Number.NaN])), undefined);
  const bins = ratioBins(new Float64Array([0]));
  assert.deepEqual([bins?.counts.length, bins?.counts.reduce((sum, count) => sum + count, 0)], [5, 1]);
  assert.ok(bins && bins.from < 1 && bins.to > 1);
});
