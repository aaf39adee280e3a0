import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { median, quantile } from '../../../stats/summary.ts';
import { selectMedian, selectQuantile } from './select.ts';

const many = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), {
  minLength: 1,
  maxLength: 60,
});

test('selects the median and the quantile that sorting gives, to the last digit, and leaves the values alone', () => {
  fc.assert(
    fc.property(many, fc.constantFrom(0, 0.1, 0.8, 1), (list, p) => {
      const values = Float64Array.from(list);
      // Zeros have two signs, which sorting keeps apart and comparing does not.
      assert.equal(selectMedian(values) + 0, median(values) + 0);
      assert.equal(selectQuantile(values, p) + 0, quantile(values, p) + 0);
      assert.deepEqual(values, Float64Array.from(list));
    }),
    { numRuns: 500, seed: 5 },
  );
});

test('comes to an end with values that are no numbers, equal ones and sorted ones', () => {
  assert.equal(selectMedian(new Float64Array(501).fill(7)), 7);
  assert.equal(selectMedian(Float64Array.from({ length: 501 }, (_, i) => -i)), -250);
  selectMedian(Float64Array.of(3, Number.NaN, 1, Number.NaN));
  assert.throws(() => selectMedian(new Float64Array(0)), { code: 'STATS_NO_VALUES' });
});
