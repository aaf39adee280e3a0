import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countPairs } from './count-pairs.ts';
import { pairsNeeded } from './pairs-needed.ts';

const timed = { type: 'timed', least: 10, most: 1000, seconds: 3 } as const;

test('as many pairs as were asked for', () => assert.equal(countPairs({ type: 'exact', pairs: 7 }, 100), 7));

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

test('twice the distance to 1 in the interval needs four times the pairs', () => {
  const ratio = Math.exp(0.02);
  assert.equal(pairsNeeded(judgement(ratio, 0.04)), 80);
});

test('what lies at 1 is decided by being the same', () => {
  const needed = pairsNeeded(judgement(1, 0.02));
  assert.equal(needed, Math.round(20 * (0.02 / Math.log(1.01)) ** 2));
});

test('nothing is said when nothing is known', () => {
  assert.equal(pairsNeeded({ verdict: 'undecided', minEffect: 0.01, runs: 1, notes: [] }), undefined);
});
