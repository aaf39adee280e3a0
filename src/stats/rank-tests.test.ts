import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mannWhitney, signedRankInterval, signedRankTest } from './rank-tests.ts';
import { pseudoMedian } from './robust-estimates.ts';

test('few values without ties are counted out', () => {
  assert.deepEqual(signedRankTest([1, 2, 3, 4, 5, 6]), { w: 0, p: 2 / 64, method: 'exact' });
  assert.deepEqual(signedRankTest([-1, 2, 3, 4, 5, 6]), { w: 1, p: 4 / 64, method: 'exact' });
  assert.deepEqual(signedRankTest([7]), { w: 0, p: 1, method: 'exact' });
});

test('zeros, ties and more than fifty values are taken as normal', () => {
  assert.equal(signedRankTest([0, 1, 2]).method, 'normal');
  assert.equal(signedRankTest([1, -1, 2]).method, 'normal');
  assert.equal(signedRankTest(Float64Array.from({ length: 50 }, (_, index) => index + 1)).method, 'exact');
  assert.equal(signedRankTest(Float64Array.from({ length: 51 }, (_, index) => index + 1)).method, 'normal');
});

test('nothing but zeros speaks for nothing', () => {
  assert.deepEqual(signedRankTest([0, 0, -0]), { w: 0, p: 1, method: 'normal' });
});

test('w is the smaller rank sum, and turning all signs changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 30 }), (values) => {
      const rest = values.filter((value) => value !== 0);
      const rank = (value: number) => {
        const size = Math.abs(value);
        const below = rest.filter((other) => Math.abs(other) < size).length;
        const same = rest.filter((other) => Math.abs(other) === size).length;
        return below + (same + 1) / 2;
      };
      const sumOf = (sign: number) =>
        rest.filter((value) => value * sign > 0).reduce((total, value) => total + rank(value), 0);
      const { w, p } = signedRankTest(values);
      assert.equal(w, Math.min(sumOf(1), sumOf(-1)));
      assert.deepEqual(signedRankTest(values.map((value) => -value)).p, p);
      assert.ok(p >= 0 && p <= 1);
    }),
  );
});

test('the interval says which level so few values can reach', () => {
  // P(W <= 3) = 5 / 256 is below 2.5 %, P(W <= 4) = 7 / 256 is not: the fourth mean from either end.
  const eight = signedRankInterval([1, 2, 3, 4, 5, 6, 7, 8], 0.95);
  assert.deepEqual(eight, { estimate: 4.5, low: 2, high: 7, level: 1 - 10 / 256 });
  assert.deepEqual(signedRankInterval([1, 2, 4], 0.95), { estimate: 2.25, low: 1, high: 4, level: 0.75 });
  assert.deepEqual(signedRankInterval([3], 0.95), { estimate: 3, low: 3, high: 3, level: 0 });
});

test('the interval holds its centre, moves with the values and leaves out 0 exactly when the exact test does', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 6, maxLength: 50 });
  fc.assert(
    fc.property(numbers, fc.infiniteStream(fc.boolean()), (sizes, signs) => {
      const values = sizes.map((size) => (signs.next().value ? size : -size));
      const { low, high, estimate } = signedRankInterval(values, 0.95);
      assert.ok(low <= estimate && estimate <= high);
      assert.equal(estimate, pseudoMedian(values));
      const { p } = signedRankTest(values);
      // A limit of exactly 0 is neither in nor out.
      if (low !== 0 && high !== 0) assert.equal(p <= 0.05, low > 0 || high < 0, `${p} ${low} ${high}`);
      assert.equal(
        signedRankInterval(
          values.map((value) => value + 64),
          0.95,
        ).low,
        low + 64,
      );
    }),
  );
});

test('small samples without ties are counted out', () => {
  // Three values below four: 1 of C(7, 3) = 35 orders, and its mirror image.
  assert.deepEqual(mannWhitney([1, 2, 3], [4, 5, 6, 7]), { u: 0, p: 2 / 35, method: 'exact' });
  assert.deepEqual(mannWhitney([4, 5, 6, 7], [1, 2, 3]), { u: 12, p: 2 / 35, method: 'exact' });
  assert.deepEqual(mannWhitney([1], [2]), { u: 0, p: 1, method: 'exact' });
});

test('ties, and nine values a side, are taken as normal', () => {
  const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  assert.equal(mannWhitney([1, 1], [2, 3]).method, 'normal');
  assert.equal(
    mannWhitney(
      nine,
      nine.map((value) => value + 0.5),
    ).method,
    'normal',
  );
  assert.equal(
    mannWhitney(
      nine.slice(1),
      nine.map((value) => value + 0.5),
    ).method,
    'exact',
  );
});

test('equal values speak for nothing', () => {
  assert.deepEqual(mannWhitney([5, 5, 5], [5, 5]), { u: 3, p: 1, method: 'normal' });
  assert.deepEqual(mannWhitney([0, -0], [0]), { u: 1, p: 1, method: 'normal' });
});

test('one sample of eight against many is still exact', () => {
  // All eight below 20,000 others: 2 / C(20008, 8).
  const many = Float64Array.from({ length: 20_000 }, (_, index) => index);
  const { p, method } = mannWhitney([-8, -7, -6, -5, -4, -3, -2, -1], many);
  let ways = 1;
  for (let i = 1; i <= 8; i++) ways *= (20_000 + i) / i;
  assert.equal(method, 'exact');
  assert.ok(Math.abs((p * ways) / 2 - 1) < 1e-12);
  // In the very middle nothing is more likely.
  const middle = Float64Array.from(
    { length: 8 },
    (_, index) => 10_000.5 + (index % 2 ? 1 : -1) * (1 + index),
  );
  const central = mannWhitney(middle, many);
  assert.ok(central.p > 0.99 && central.p <= 1, `${central.p}`);
});

test('U counts the pairs, and p does not care which side is which, nor for the scale', () => {
  const numbers = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const { u, p } = mannWhitney(a, b);
      let wins = 0;
      for (const x of a) for (const y of b) wins += x > y ? 1 : x === y ? 0.5 : 0;
      assert.equal(u, wins);
      assert.ok(p > 0 && p <= 1);
      const swapped = mannWhitney(b, a);
      assert.deepEqual([swapped.u, swapped.p], [a.length * b.length - u, p]);
      assert.equal(
        mannWhitney(
          a.map((value) => value ** 3 * 2),
          b.map((value) => value ** 3 * 2),
        ).p,
        p,
      );
    }),
  );
});

test('the given values stay as they are', () => {
  const a = Float64Array.of(3, 1, 2);
  mannWhitney(a, a);
  assert.deepEqual([...a], [3, 1, 2]);
});
