import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SimulatedBisect, simulateBisect } from '../../../bench/accuracy/simulated-bisect.ts';
import { conclude } from './conclusion.ts';
import { nextStep } from './next-step.ts';
import { estimateRemaining } from './posterior.ts';
import type { MeasuredPair, Search, Suspects } from './search.ts';

const options = { certainty: 0.95, minEffect: 0.01 };
const world: SimulatedBisect = {
  ...{ commits: 64, step: 0.03, sharedNoise: 0.05, ownNoise: 0.05 },
  ...{ tails: 'light', broken: 0, options },
};
const chain = (size: number): Suspects => ({
  parents: Array.from({ length: size }, (_, at) => (at === 0 ? [] : [at - 1])),
  weights: Array.from({ length: size }, () => 1),
});

/** Answers every question from a truth without noise, but for a little that makes pairs differ. */
function answer(suspects: Suspects, isAfter: (commit: number) => boolean, skipped: readonly number[] = []) {
  const pairs: MeasuredPair[] = [];
  const asked: number[] = [];
  const met = new Set<number>();
  for (;;) {
    const search: Search = { suspects, evidence: { pairs, skipped: met }, options };
    const step = nextStep(search);
    if (step.type !== 'measure') return { step, search, asked };
    asked.push(step.commit);
    if (skipped.includes(step.commit)) {
      met.add(step.commit);
      continue;
    }
    for (let pair = 0; pair < step.pairs; pair++) {
      const wobble = 0.004 * Math.sin(1 + pairs.length * 2.3);
      pairs.push({ commit: step.commit, logRatio: (isAfter(step.commit) ? 0.4 : 0) + wobble });
    }
  }
}

test('finds the commit of a 3 % step among 64 under 5 % noise, counted exactly', () => {
  const found = Array.from({ length: 40 }, (_, at) => simulateBisect(world, 11 + at));
  const count = (outcome: string) => found.filter((it) => it.outcome === outcome).length;
  assert.deepEqual([count('right'), count('wrong'), count('no-difference')], [40, 0, 0]);
  assert.equal(
    found.reduce((sum, { pairs }) => sum + pairs, 0),
    17_684,
  );
});

test('what swapped places do to single pairs costs no more pairs', () => {
  const still = { ...world, ownNoise: 0.02 };
  const run = (one: SimulatedBisect) => Array.from({ length: 20 }, (_, at) => simulateBisect(one, 300 + at));
  const pairsOf = (one: SimulatedBisect) => run(one).reduce((sum, { pairs }) => sum + pairs, 0);
  const swapped = run({ ...still, places: 0.04 });
  assert.ok(swapped.every(({ outcome }) => outcome === 'right'));
  const [none, some] = [pairsOf({ ...still, places: 0 }), swapped.reduce((sum, { pairs }) => sum + pairs, 0)];
  assert.ok(some < 1.5 * none, `${some} pairs where places differ, ${none} where they do not`);
});

test('a large step needs the first duet and two pairs of each commit that halves', () => {
  const { step, search, asked } = answer(chain(64), (commit) => commit >= 41);
  assert.equal(step.type, 'found');
  assert.deepEqual(step.type === 'found' && step.group.commits, [41]);
  assert.deepEqual(asked.slice(0, 4), [63, 31, 47, 39]);
  assert.ok(search.evidence.pairs.length <= 26, String(search.evidence.pairs.length));
});

test('the first commit and the last one can be the culprit', () => {
  for (const culprit of [0, 1, 15]) {
    const { step } = answer(chain(16), (commit) => commit >= culprit);
    assert.deepEqual(step.type === 'found' && step.group.commits, [culprit]);
  }
  const one = answer(chain(1), () => true);
  assert.deepEqual([one.step.type, one.asked], ['found', [0]]);
});

test('ends when good and bad do not differ', () => {
  const { step, asked } = answer(chain(16), () => false);
  assert.equal(step.type, 'no-difference');
  assert.deepEqual(new Set(asked), new Set([15]));
});

test('names a set where the commits between cannot be measured', () => {
  const { step, search } = answer(chain(16), (commit) => commit >= 8, [7, 8, 9]);
  assert.ok(step.type === 'found');
  assert.deepEqual(step.group.commits, [7, 8, 9, 10]);
  const { culprits, certainty, runnersUp } = conclude(search, step);
  assert.equal(culprits.length, 4);
  assert.ok(certainty >= 0.95 && runnersUp.every(({ commit }) => commit < 7 || commit > 10));
});

test('finds a commit of a branch that was merged', () => {
  // 0 - 1 - 2 ----- 6 - 7, and 1 - 3 - 4 - 5 - 6: the culprit is 4.
  const suspects: Suspects = {
    parents: [[], [0], [1], [1], [3], [4], [2, 5], [6]],
    weights: [1, 1, 1, 1, 1, 1, 1, 1],
  };
  const { step } = answer(suspects, (commit) => [4, 5, 6, 7].includes(commit));
  assert.deepEqual(step.type === 'found' && step.group.commits, [4]);
  const inTrunk = answer(suspects, (commit) => [2, 6, 7].includes(commit));
  assert.deepEqual(inTrunk.step.type === 'found' && inTrunk.step.group.commits, [2]);
});

test('looks at likely commits first', () => {
  const suspects = { ...chain(16), weights: Array.from({ length: 16 }, (_, at) => (at === 12 ? 1000 : 1)) };
  const { asked } = answer(suspects, (commit) => commit >= 12);
  assert.ok([11, 12].includes(asked[1] ?? 0), String(asked));
});

test('reports that a commit is like neither of the two', () => {
  const { step, search } = answer(chain(4), (commit) => commit >= 1);
  assert.ok(step.type === 'found');
  const odd = [0.2, 0.201, 0.199, 0.2].map((logRatio) => ({ commit: 2, logRatio }));
  const pairs = search.evidence.pairs.filter(({ commit }) => commit !== 2);
  const { between } = conclude(
    { ...search, evidence: { ...search.evidence, pairs: [...pairs, ...odd] } },
    step,
  );
  assert.deepEqual(
    between.map(({ commit }) => commit),
    [2],
  );
});

test('what is left is estimated from what is unknown', () => {
  const even = { probabilities: Float64Array.from({ length: 64 }, () => 1 / 64), shift: 0.03, noise: 0.07 };
  const { commits, pairs } = estimateRemaining(even, { certainty: 0.95 });
  assert.equal(commits, 6);
  assert.ok(pairs > 150 && pairs < 300, String(pairs));
  assert.deepEqual(estimateRemaining({ ...even, noise: 0.0001 }, { certainty: 0.95 }), {
    commits: 6,
    pairs: 13,
  });
});
