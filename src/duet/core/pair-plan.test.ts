import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countPairs, pairOrders, pairsAUnit, splitCores, unitRatios } from './pair-plan.ts';
import { pairsNeeded } from './verdict-sentence.ts';

const timed = { type: 'timed', least: 10, most: 1000, seconds: 3 } as const;

test('as many pairs as requested', () => assert.equal(countPairs({ type: 'exact', pairs: 7 }, 100), 7));

test('as many as fit into the time, within the limits', () => {
  assert.equal(countPairs(timed, 0.05), 60);
  assert.equal(countPairs(timed, 2), 10);
  assert.equal(countPairs(timed, 0.0001), 1000);
  assert.equal(countPairs(timed, 0), 1000);
});

const judgement = (ratio: number, half: number) =>
  ({
    verdict: 'undecided',
    effect: { ratio, low: ratio / Math.exp(half), high: ratio * Math.exp(half), level: 0.95 },
    minEffect: 0.01,
    runs: 20,
    notes: [],
  }) as const;

test('twice the distance to the smallest effect in the interval needs four times the pairs', () => {
  const ratio = 1.01 * Math.exp(0.02);
  assert.equal(pairsNeeded(judgement(ratio, 0.04)), 80);
});

test('what lies at 1 is decided by being the same', () => {
  const needed = pairsNeeded(judgement(1, 0.02));
  assert.equal(needed, Math.round(20 * (0.02 / Math.log(1.01)) ** 2));
});

test('no estimate without an effect', () => {
  assert.equal(pairsNeeded({ verdict: 'undecided', minEffect: 0.01, runs: 1, notes: [] }), undefined);
});

const take = (seed: number, count: number) => {
  const orders = pairOrders(seed);
  return Array.from({ length: count }, () => orders.next().value);
};

test('the same seed gives the same orders, another seed others', () => {
  assert.deepEqual(take(42, 100), take(42, 100));
  assert.notDeepEqual(take(42, 100), take(43, 100));
});

test('each block of two holds both orders', () => {
  const orders = take(7, 2000);
  for (let index = 0; index < orders.length; index += 2) assert.notEqual(orders[index], orders[index + 1]);
});

test('which order comes first in a block is drawn', () => {
  const firsts = take(7, 2000).filter((_, index) => index % 2 === 0);
  const share = firsts.filter((order) => order === 'AB').length / firsts.length;
  assert.ok(share > 0.45 && share < 0.55, `${share}`);
});

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

test('the sides share no physical core', () => {
  const halves = splitCores([
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ]);
  assert.deepEqual(halves, [
    [0, 4, 2, 6],
    [1, 5, 3, 7],
  ]);
});

test('an odd core stays unused, and halves are of one size', () => {
  assert.deepEqual(splitCores([[0], [1], [2]]), [[0], [1]]);
  assert.deepEqual(splitCores([[0, 1], [2]]), [[0], [2]]);
});

test('threads of the only physical core are better than nothing', () => {
  assert.deepEqual(splitCores([[0, 1]]), [[0], [1]]);
});

test('one core cannot be halved', () => {
  assert.equal(splitCores([[3]]), undefined);
  assert.equal(splitCores([]), undefined);
});
