import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { medianShift, pseudoMedian, walshAverage, walshCount } from './hodges-lehmann.ts';
import { median } from './summary.ts';

const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
const numbers = fc.array(fc.oneof(number, fc.integer({ min: -5, max: 5 })), { minLength: 1, maxLength: 25 });

const allMeans = (values: readonly number[]) =>
  values.flatMap((x, i) => values.slice(i).map((y) => x / 2 + y / 2));

test('the centre is the median of all means of two, without building them', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const means = allMeans(values).sort((a, b) => a - b);
      assert.equal(means.length, walshCount(values.length));
      // Halves of the smallest numbers may be a zero of either sign.
      assert.ok(pseudoMedian(values) === median(means));
      means.forEach((mean, index) => {
        assert.ok(walshAverage(values, index + 1) === mean);
      });
    }),
  );
});

test('the shift is the median of all differences', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const differences = b.flatMap((y) => a.map((x) => y - x));
      assert.ok(medianShift(a, b) === median(differences));
      assert.ok(medianShift(b, a) === -medianShift(a, b));
    }),
  );
});

test('one wild value in ten moves the centre little', () => {
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  assert.equal(pseudoMedian(values), 5.5);
  assert.equal(pseudoMedian([...values.slice(0, 9), 1e9]), 5.5);
});

test('numbers at the ends of the range, tiny, huge and adjacent ones, come to an end', () => {
  assert.equal(pseudoMedian([1.7e308, 1.7e308, 1.7e308]), 1.7e308);
  assert.equal(pseudoMedian([-1.7e308, 1.7e308]), 0);
  assert.equal(medianShift([-1.7e308], [1.7e308]), Number.POSITIVE_INFINITY);
  assert.equal(medianShift([1, 1 + Number.EPSILON], [1]), -Number.EPSILON / 2);
  assert.equal(medianShift([0], [5e-324, 1e-300, 1e300]), 1e-300);
  assert.equal(pseudoMedian(new Float64Array(1000).fill(0.1)), 0.1);
});

test('a hundred thousand values need no ten thousand million means', () => {
  const values = Float64Array.from({ length: 100_001 }, (_, index) => (index * 7919) % 100_001);
  assert.equal(pseudoMedian(values), 50_000);
  assert.equal(
    medianShift(
      values,
      values.map((value) => value + 3),
    ),
    3,
  );
});
