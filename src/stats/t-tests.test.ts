import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { equivalenceTest, meanTest, pairedTest, welchTest } from './t-tests.ts';

const level = 0.95;
const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 });

test('a textbook sample gives the textbook interval', () => {
  // Student's sleep data, differences of the two drugs: t = 4.0621, df = 9, p = 0.002833.
  const { t, df, p, estimate, low, high } = meanTest([1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4], {
    level,
  });
  assert.equal(df, 9);
  for (const [actual, expected] of [
    [t, 4.0621],
    [p, 0.002833],
    [estimate, 1.58],
    [low, 0.7001],
    [high, 2.4599],
  ] as const) {
    assert.ok(Math.abs(actual - expected) < 5e-5, `${actual}, not ${expected}`);
  }
});

test('equal values have no spread: a certain difference, or none, but never 0 / 0', () => {
  const same = new Float64Array(7).fill(0.1);
  const { estimate, low, high, t, p } = meanTest(same, { level });
  assert.deepEqual([estimate, low, high, t, p], [0.1, 0.1, 0.1, Number.POSITIVE_INFINITY, 0]);
  assert.deepEqual(meanTest(same, { level, center: 0.1 }).p, 1);
  assert.equal(pairedTest(same, same, { level }).p, 1);
  // 0.1 summed five and seven times rounds differently; that is no difference.
  assert.equal(welchTest(same, new Float64Array(5).fill(0.1), { level }).p, 1);
  assert.equal(welchTest(same, new Float64Array(5).fill(0.2), { level }).p, 0);
});

test('the interval excludes the value asked about exactly when p is small', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      for (const { low, high, p } of [meanTest(a, { level }), welchTest(a, b, { level })]) {
        if (Math.abs(p - 0.05) > 1e-9) assert.equal(p < 0.05, low > 0 || high < 0);
      }
    }),
  );
});

test('exchanging A and B turns the sign and nothing else', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [one, other] = [welchTest(a, b, { level }), welchTest(b, a, { level })];
      assert.deepEqual([one.p, one.df], [other.p, other.df]);
      assert.ok(one.t === -other.t && one.low === -other.high && one.high === -other.low);
    }),
  );
});

test('pairs are judged by their differences, in which what they share is gone', () => {
  const shared = [100, 5000, 300, 20_000, 700];
  const a = [103, 5002, 304, 20_003, 702.5];
  assert.ok(pairedTest(a, shared, { level }).p < 0.01);
  assert.ok(welchTest(a, shared, { level }).p > 0.9);
});

test('numbers at the end of the range stay finite', () => {
  const { t, df, p } = welchTest([1e300, 2e300, 3e300], [1e-300, 2e-300, 4e-300], { level });
  assert.ok(Math.abs(t - 2 * Math.sqrt(3)) < 1e-12);
  assert.ok(Math.abs(df - 2) < 1e-12);
  assert.ok(p > 0.05 && p < 0.1);
});

test('it decides as the interval of level 1 - 2 alpha does', () => {
  const logs = fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(logs, fc.double({ min: 0.001, max: 0.05, noNaN: true }), (values, margin) => {
      const { p } = equivalenceTest(values, margin);
      if (Math.abs(p - 0.05) < 1e-9) return;
      const { low, high } = meanTest(values, { level: 0.9 });
      assert.equal(p < 0.05, low > -margin && high < margin);
    }),
  );
});

test('a wide spread proves nothing, neither a difference nor that there is none', () => {
  const values = [-0.2, 0.25, -0.1, 0.15];
  assert.ok(meanTest(values, { level: 0.95 }).p > 0.05);
  assert.ok(equivalenceTest(values, 0.01).p > 0.05);
});

test('values without spread are inside or outside for certain', () => {
  assert.deepEqual(equivalenceTest([0.005, 0.005], 0.01), { pBelow: 0, pAbove: 0, p: 0 });
  assert.deepEqual(equivalenceTest([0.02, 0.02], 0.01), { pBelow: 0, pAbove: 1, p: 1 });
  assert.deepEqual(equivalenceTest([-0.02, -0.02], 0.01), { pBelow: 1, pAbove: 0, p: 1 });
});
