import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalCdf, normalQuantile, studentCdf, studentQuantile } from './distributions.ts';

const near = (actual: number, expected: number, relative = 1e-12) =>
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual}, not ${expected}`);

test('known numbers come out as known', () => {
  near(normalQuantile(0.975), 1.959963984540054);
  near(studentQuantile(0.975, 9), 2.2621571627982);
  near(studentQuantile(0.75, 1), 1);
  near(studentCdf(1, 1), 0.75);
  assert.deepEqual(
    [normalCdf(0), studentCdf(0, 3), normalQuantile(0.5), studentQuantile(0.5, 3)],
    [0.5, 0.5, 0, 0],
  );
});

test('tails keep all their digits', () => {
  // Computed with 50 digits: x^a (1-x)^b / (a B(a,b)) 2F1(a+b, 1; a+1; x).
  near(studentCdf(-30, 100), 4.190166279344146e-52);
  near(studentCdf(-20, 999.5), 2.0572399050833724e-75);
  near(studentCdf(-30, 10_000), 1.0221635237127853e-189);
  near(normalCdf(-37.5), 4.605353009581955e-308);
  // Cauchy: 1 / (pi t).
  near(studentCdf(-1e200, 1), 1 / (Math.PI * 1e200));
  near(studentQuantile(1e-200, 1), -1 / (Math.PI * 1e-200));
});

test('the ends of the range are infinite, and infinite degrees of freedom are the normal distribution', () => {
  const ends = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  assert.deepEqual([studentQuantile(0, 3), studentQuantile(1, 3)], ends);
  assert.deepEqual([normalQuantile(0), normalQuantile(1)], ends);
  assert.deepEqual(
    ends.map((t) => studentCdf(t, 3)),
    [0, 1],
  );
  assert.deepEqual(ends.map(normalCdf), [0, 1]);
  assert.equal(studentCdf(-2, Number.POSITIVE_INFINITY), normalCdf(-2));
  near(studentQuantile(0.01, 1e15), normalQuantile(0.01));
});

test('the quantile is the inverse of the distribution function', () => {
  const probability = fc.double({ min: 1e-250, max: 0.5, noNaN: true });
  const degrees = fc.oneof(
    fc.double({ min: 1, max: 60, noNaN: true }),
    fc.double({ min: 1, max: 1e8, noNaN: true }),
  );
  fc.assert(
    fc.property(probability, degrees, (p, df) => {
      near(studentCdf(studentQuantile(p, df), df), p);
      near(normalCdf(normalQuantile(p)), p);
      assert.equal(studentQuantile(1 - p, df), 0 - studentQuantile(1 - (1 - p), df));
    }),
  );
});

test('there is no jump where one method takes over from another', () => {
  for (const t of [0.5, 1.7, 1.75, 3, 12]) near(studentCdf(-t, 20_000.000001), studentCdf(-t, 20_000), 1e-9);
  for (const p of [0.25, 0.75]) near(studentQuantile(p * (1 + 1e-14), 7), studentQuantile(p, 7));
  near(normalCdf(-2 * Math.SQRT2 * (1 + 1e-15)), normalCdf(-2 * Math.SQRT2));
});

test('what is no probability and no degrees of freedom is said so', () => {
  for (const p of [-0.1, 1.1, Number.NaN]) {
    assert.throws(() => normalQuantile(p), { code: 'STATS_PROBABILITY' });
    assert.throws(() => studentQuantile(p, 5), { code: 'STATS_PROBABILITY' });
    assert.throws(() => studentQuantile(p, 1e9), { code: 'STATS_PROBABILITY' });
  }
  for (const df of [0, -1, Number.NaN]) {
    assert.throws(() => studentCdf(1, df), { code: 'STATS_DEGREES_OF_FREEDOM' });
    assert.throws(() => studentQuantile(0.5, df), { code: 'STATS_DEGREES_OF_FREEDOM' });
  }
});
