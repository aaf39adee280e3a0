import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalQuantile } from './distributions.ts';
import { trimmedMean, winsorizedMean } from './means.ts';
import {
  medianAbsoluteDeviation,
  medianShift,
  pseudoMedian,
  qnScale,
  walshAverage,
  walshCount,
} from './robust-estimates.ts';
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

const scales = { medianAbsoluteDeviation, qnScale };

for (const [name, scale] of Object.entries(scales)) {
  test(`${name} of normal values is their deviation`, () => {
    const count = 4001;
    const normal = Float64Array.from(
      { length: count },
      (_, index) => 3 * normalQuantile((index + 0.5) / count),
    );
    assert.ok(Math.abs(scale(normal) - 3) < 0.01, String(scale(normal)));
  });

  test(`${name} does not change with a shift or a sign, and grows with the unit`, () => {
    const numbers = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: -100, max: 100 }), (values, shift) => {
        const before = scale(values);
        assert.equal(scale(values.map((value) => shift - value)), before);
        assert.equal(scale(values.map((value) => value * 4)), before * 4);
      }),
    );
  });

  test(`${name} bears four wild values of ten`, () => {
    assert.ok(scale([1, 2, 3, 4, 5, 6, 1e9, -1e9, 2e9, 3e9]) < 20);
    assert.equal(scale([7, 7, 7]), 0);
  });
}

test('Qn is the third of the six distances of four values', () => {
  // Distances of 0, 1, 3, 7: 1 2 3 4 6 7; half = 3, rank = 3.
  assert.ok(Math.abs(qnScale([3, 0, 7, 1]) / 2.219144465985076 - 3) < 1e-12);
});

test('trimming leaves wild values out, winsorizing draws them in', () => {
  const values = [100, 1, 2, 3, 4, 5, 6, 7, 8, -50];
  assert.equal(trimmedMean(values, 0.1), 4.5);
  assert.equal(winsorizedMean(values, 0.1), 4.5);
  assert.equal(trimmedMean([1, 2, 3, 10], 0.25), 2.5);
  assert.equal(winsorizedMean([0, 2, 3, 10, 20], 0.2), (2 + 2 + 3 + 10 + 10) / 5);
  assert.equal(trimmedMean([1, 2, 6], 0.3), 3);
  assert.equal(winsorizedMean([1, 2, 6], 0), 3);
  assert.equal(values[0], 100);
});
