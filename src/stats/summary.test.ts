import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mean, median, populationDeviation, quantile, summarize } from './summary.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e150, max: 1e150 });
const some = fc.array(finite, { minLength: 1, maxLength: 40 });

test('known numbers come out as known', () => {
  assert.deepEqual(summarize([2, 4, 4, 4, 5, 5, 7, 9]), {
    mean: 5,
    median: 4.5,
    std: 2,
    min: 2,
    max: 9,
    n: 8,
  });
  assert.deepEqual(summarize([3]), { mean: 3, median: 3, std: 0, min: 3, max: 3, n: 1 });
});

test('quantiles are those of type 7', () => {
  const values = [15, 20, 35, 40, 50];
  assert.equal(quantile(values, 0.4), 29);
  assert.equal(quantile(values, 0.05), 16);
  assert.equal(quantile(values, 0.3), 23);
  assert.equal(quantile(values, 0), 15);
  assert.equal(quantile(values, 1), 50);
  assert.equal(quantile([1, 2, 3, 4], 0.75), 3.25);
});

test('the deviation of four seeds is the population one', () => {
  // sqrt(((1-2.5)^2 + (2-2.5)^2 + (3-2.5)^2 + (4-2.5)^2) / 4) = sqrt(1.25)
  assert.ok(Math.abs(populationDeviation([1, 2, 3, 4]) - 1.118033988749895) < 1e-15);
});

test('the sum of a million small values loses nothing', () => {
  assert.equal(mean(new Array<number>(1_000_000).fill(0.1)), 0.1);
  assert.equal(mean([1e16, 1, -1e16]), 1 / 3);
});

test('numbers at the end of the range stay finite', () => {
  const huge = [1.7e308, 1.7e308, -1.7e308, 1.7e308];
  const { mean: center, median: middle, std } = summarize(huge);
  assert.ok(Math.abs(center / 0.85e308 - 1) < 1e-12);
  assert.equal(middle, 1.7e308);
  assert.ok(Math.abs(std / (1.7e308 * Math.sqrt(0.75)) - 1) < 1e-12);
  assert.ok(Number.isFinite(quantile([-1.7e308, 1.7e308], 0.25)));
  assert.ok(Math.abs(populationDeviation([1e-200, 3e-200]) / 1e-200 - 1) < 1e-12);
});

test('nothing to summarize is an error that says so', () => {
  for (const of of [
    summarize,
    mean,
    median,
    populationDeviation,
    (values: number[]) => quantile(values, 0.5),
  ]) {
    assert.throws(() => of([]), { code: 'STATS_NO_VALUES' });
  }
  assert.throws(() => quantile([1], 1.5), { code: 'STATS_QUANTILE' });
  assert.throws(() => quantile([1], Number.NaN), { code: 'STATS_QUANTILE' });
});

test('mean, median and quantiles lie between the least and the greatest value', () => {
  fc.assert(
    fc.property(some, fc.double({ min: 0, max: 1, noNaN: true }), (values, p) => {
      const { min, max, mean: center, median: middle, std } = summarize(values);
      const slack = 1e-12 * Math.max(Math.abs(min), Math.abs(max));
      assert.ok(center >= min - slack && center <= max + slack);
      assert.ok(middle >= min && middle <= max);
      const between = quantile(values, p);
      assert.ok(between >= min - slack && between <= max + slack);
      assert.ok(std >= 0 && std <= (max - min) * (1 + 1e-9) + slack);
    }),
  );
});

test('the order of the values does not matter, and shifting moves all but the deviation', () => {
  const small = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(small, fc.integer({ min: -1000, max: 1000 }), (values, shift) => {
      const before = summarize(values);
      assert.deepEqual(summarize([...values].reverse()).median, before.median);
      const after = summarize(values.map((value) => value + shift));
      assert.equal(after.median, before.median + shift);
      assert.ok(Math.abs(after.mean - before.mean - shift) < 1e-9);
      assert.ok(Math.abs(after.std - before.std) < 1e-9);
      assert.equal(quantile(values, 0.5), before.median);
    }),
  );
});

test('the deviation agrees with its definition', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
      const center = values.reduce((a, b) => a + b, 0) / values.length;
      const variance = values.reduce((total, value) => total + (value - center) ** 2, 0) / values.length;
      assert.ok(Math.abs(populationDeviation(values) - Math.sqrt(variance)) < 1e-9);
    }),
  );
});
