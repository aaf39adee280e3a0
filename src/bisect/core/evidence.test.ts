import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BisectEvent } from './bisect-plan.ts';
import { recordedPairs } from './evidence.ts';
import { GOOD } from './search.ts';

const numbers = new Map([
  ['aaa', 0],
  ['bbb', 1],
]);
const given = { numbers, good: 'ggg', primary: 'wall' };

test('pairs have their build, their round and all measures', () => {
  const pair = { type: 'pair', order: 'AB', good: 2, value: 3, ms: 1 } as const;
  const measures = { cpu: { good: 1, value: 4 } };
  const events: BisectEvent[] = [
    { ...pair, commit: 'ggg', build: 1, goodBuild: 0, round: 4, measures },
    { ...pair, commit: 'bbb', build: 2, goodBuild: 3, round: 5, measures },
    { type: 'skip', commit: 'aaa', reason: 'it fails' },
    { ...pair, commit: 'of another range', round: 6 },
  ];
  const { pairs, skipped } = recordedPairs(events, given);
  assert.deepEqual([...skipped], [0]);
  assert.deepEqual(
    pairs.map(({ commit, build, goodBuild, round }) => [commit, build, goodBuild, round]),
    [
      [GOOD, 1, 0, 4],
      [1, 2, 3, 5],
    ],
  );
  assert.deepEqual(pairs[0]?.logRatios, { wall: Math.log(1.5), cpu: Math.log(4) });
  const wanted = recordedPairs(events, { ...given, wanted: 'cpu' });
  assert.deepEqual(wanted.pairs[0]?.logRatios, { cpu: Math.log(4) });
});

test('in a journal of an earlier version, what was measured in one go is a round', () => {
  const old = (commit: string): BisectEvent => {
    return { type: 'pair', commit, order: 'AB', good: 1, value: 1, ms: 1 };
  };
  const { pairs } = recordedPairs(['bbb', 'bbb', 'aaa', 'aaa', 'bbb'].map(old), given);
  assert.deepEqual(
    pairs.map(({ round, build }) => [round, build]),
    [
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 0],
      [2, 0],
    ],
  );
});
