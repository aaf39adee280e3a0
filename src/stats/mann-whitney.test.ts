import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mannWhitney } from './mann-whitney.ts';

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
