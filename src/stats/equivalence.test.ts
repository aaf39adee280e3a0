import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { equivalenceTest } from './equivalence.ts';
import { meanTest } from './t-tests.ts';

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
