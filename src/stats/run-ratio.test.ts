import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runLogRatio, selectByWeight } from './run-ratio.ts';

test('a fifth of the pairs is left out at either end', () => {
  assert.equal(runLogRatio(Float64Array.of(9, 1, 2, 3, -50)), 2);
  assert.equal(runLogRatio(Float64Array.of(0.1, 0.1, 0.1)), 0.1);
  assert.equal(runLogRatio(Float64Array.of(0.5)), 0.5);
  assert.equal(runLogRatio(Float64Array.of(1, 2)), 1.5);
});

test('a part of a pair is left out when a fifth is not a whole number', () => {
  // Of 3 pairs 0.6 go at either end: (0.4 * 0 + 1 * 1 + 0.4 * 5) / 1.8.
  assert.ok(Math.abs(runLogRatio(Float64Array.of(5, 0, 1)) - 3 / 1.8) < 1e-12);
});

test('a weight counts as that many equal pairs', () => {
  const weighted = runLogRatio(Float64Array.of(1, 2, 7), Float64Array.of(2, 3, 1));
  assert.ok(Math.abs(weighted - runLogRatio(Float64Array.of(1, 1, 2, 2, 2, 7))) < 1e-12);
});

test('the value is the one that a walk by size reaches, with the weight below and at it', () => {
  const items = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(items, fc.double({ min: 0, max: 0.999, noNaN: true }), (pairs, share) => {
      const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
      const sorted = [...pairs].sort(([one], [other]) => one - other);
      const heavy = sorted.flatMap(([of, weight]) => Array<number>(weight).fill(of));
      const value = heavy[Math.floor(share * total)] ?? Number.NaN;
      const weightOf = (isCounted: (other: number) => boolean) => {
        return pairs.reduce((sum, [other, weight]) => sum + (isCounted(other) ? weight : 0), 0);
      };
      const columns = {
        values: Float64Array.from(pairs, ([of]) => of),
        weights: Float64Array.from(pairs, ([, weight]) => weight),
      };
      assert.deepEqual(selectByWeight(columns, share * total), {
        value,
        below: weightOf((other) => other < value),
        equal: weightOf((other) => other === value),
      });
      const after = Array.from(columns.values, (of, i) => `${of} ${columns.weights[i]}`).sort();
      assert.deepEqual(after, pairs.map(([of, weight]) => `${of} ${weight}`).sort());
    }),
  );
});

test('rounding at the very end, and sorted, reversed and equal values end', () => {
  const ones = new Float64Array(1000).fill(1);
  const up = Float64Array.from(ones, (_, i) => i);
  assert.equal(selectByWeight({ values: up.slice(), weights: ones }, 1000).value, 999);
  assert.equal(selectByWeight({ values: up.slice().reverse(), weights: ones }, 500).value, 500);
  assert.equal(selectByWeight({ values: ones.slice(), weights: ones }, 10).value, 1);
});
