import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairsAUnit, unitRatios } from './pair-units.ts';

const list = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([pair, logRatio]) => ({ pair, logRatio }));

test('what a core adds to one pair it takes from the next', () => {
  const pairs = list([0, 0.02 + 0.3], [1, 0.02 - 0.3], [2, 0.02 + 0.1], [3, 0.02 - 0.1]);
  assert.deepEqual(
    [...unitRatios(pairs, 2)].map((unit) => Number(unit.toFixed(12))),
    [0.02, 0.02],
  );
  assert.deepEqual([...unitRatios(pairs, 1)], [0.32, -0.27999999999999997, 0.12000000000000001, -0.08]);
});

test('a pair whose other half is missing is left out', () => {
  assert.deepEqual([...unitRatios(list([0, 1], [2, 3], [3, 5], [4, 7]), 2)], [4]);
  assert.deepEqual([...unitRatios(list([1, 1], [2, 3]), 2)], [], 'these two are of different units');
  assert.deepEqual([...unitRatios([], 2)], []);
});

test('units are pairs of pairs only where sides change places and pairs are many', () => {
  assert.equal(pairsAUnit(40, true), 2);
  assert.equal(pairsAUnit(39, true), 1);
  assert.equal(pairsAUnit(1000, false), 1);
});
