import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { adjustedPValues } from './false-discovery.ts';

test('every p value is corrected for the number of tests, in its place', () => {
  assert.deepEqual(adjustedPValues([0.5, 0.0625, 0.25, 0.125]), [0.5, 0.25, 1 / 3, 0.25]);
  assert.deepEqual(adjustedPValues([]), []);
  assert.deepEqual(adjustedPValues([0.3]), [0.3]);
});

test('what has no p value keeps none and does not count', () => {
  assert.deepEqual(adjustedPValues([undefined, 0.25, undefined, 0.125]), [undefined, 0.25, undefined, 0.25]);
  assert.deepEqual(adjustedPValues([undefined]), [undefined]);
});

test('what is no probability is refused with its place', () => {
  assert.throws(() => adjustedPValues([0.1, 1.5]), { code: 'STATS_PROBABILITY', message: /1.5 .*number 2/ });
  assert.throws(() => adjustedPValues([Number.NaN]), { code: 'STATS_PROBABILITY' });
});

test('the order of the tests does not matter, and a smaller p never becomes a larger one', () => {
  const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(ps, (values) => {
      const adjusted = adjustedPValues(values) as number[];
      assert.deepEqual(adjustedPValues([...values].reverse()), [...adjusted].reverse());
      const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
      for (let place = 1; place < order.length; place++) {
        assert.ok((adjusted[order[place - 1] ?? 0] ?? 0) <= (adjusted[order[place] ?? 0] ?? 0));
      }
      values.forEach((p, index) => {
        assert.ok((adjusted[index] ?? 0) >= p * (1 - 1e-15) && (adjusted[index] ?? 2) <= 1);
      });
    }),
  );
});

test('calling what is at most q discoveries is the step-up rule', () => {
  const ps = fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(ps, (values) => {
      const q = 0.05;
      const sorted = [...values].sort((a, b) => a - b);
      const found = sorted.findLastIndex((p, index) => p * values.length <= q * (index + 1)) + 1;
      // A product that hits q but for rounding may fall on either side.
      if (sorted.some((p, index) => Math.abs((p * values.length) / (q * (index + 1)) - 1) < 1e-12)) return;
      assert.equal(adjustedPValues(values).filter((p) => (p ?? 1) <= q).length, found);
    }),
  );
});
