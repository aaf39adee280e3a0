import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { geometricMean } from './means.ts';

test('twice and half cancel', () => {
  assert.ok(Math.abs(geometricMean([2, 0.5]) - 1) < 1e-15);
  assert.ok(Math.abs(geometricMean([1, 10, 100]) - 10) < 1e-13);
  assert.equal(geometricMean([0.1, 0.1, 0.1]), 0.1);
});

test('the mean of inverses is the inverse of the mean: B / A says what A / B says', () => {
  const ratios = fc.array(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(ratios, (values) => {
      const product = geometricMean(values) * geometricMean(values.map((value) => 1 / value));
      assert.ok(Math.abs(product - 1) < 1e-12);
    }),
  );
});

test('no product leaves the range', () => {
  assert.ok(
    Math.abs(geometricMean(new Float64Array(1000).map((_, i) => (i % 2 ? 1e300 : 1e298))) / 1e299 - 1) <
      1e-10,
  );
});

test('what is not above 0 is counted', () => {
  assert.throws(() => geometricMean([1, 0, -3]), {
    code: 'STATS_NOT_POSITIVE',
    message: '2 of 3 values are not above 0.',
  });
});
