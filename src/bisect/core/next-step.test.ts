import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SimulatedBisect, simulateBisect } from '../../../bench/accuracy/simulated-bisect.ts';
import { seededRandom } from '../../stats/random.ts';
import { conclude } from './conclusion.ts';
import { nextStep, type Reading, type Verdict } from './next-step.ts';
import { posteriorOf } from './posterior.ts';
import { GOOD, type MeasuredPair, type Search, type Suspects } from './search.ts';

const options = { certainty: 0.95, minEffect: 0.01, mostBuilds: 30 };
const chain = (size: number): Suspects => ({
  parents: Array.from({ length: size }, (_, at) => (at === 0 ? [] : [at - 1])),
  weights: Array.from({ length: size }, () => 1),
});

interface Asked {
  readonly verdict: Verdict;
  readonly search: Search;
  /** The commits in the order in which they were first measured. */
  readonly order: readonly number[];
}

/** Answers every question from a truth without noise, but for a little that makes pairs differ. */
function answer(
  suspects: Suspects,
  logRatios: (commit: number) => Readonly<Record<string, number>>,
  given: Partial<Search['options']> & { readonly skipped?: readonly number[] } = {},
): Asked {
  const { skipped = [], ...more } = given;
  const pairs: MeasuredPair[] = [];
  const met = new Set<number>();
  let round = 0;
  for (;;) {
    const evidence = { pairs, skipped: met };
    const search: Search = { suspects, evidence, options: { ...options, ...more }, seed: 3 };
    const step = nextStep(search);
    if (step.type !== 'measure')
      return { verdict: step, search, order: [...new Set(pairs.map(({ commit }) => commit))] };
    assert.deepEqual(nextStep(search), step, 'the same evidence gives the same step');
    for (const visits of step.rounds) {
      for (const { commit, build } of visits) {
        if (skipped.includes(commit)) met.add(commit);
        if (met.has(commit)) continue;
        const wobble = 0.004 * Math.sin(1 + pairs.length * 2.3);
        const values = Object.entries(logRatios(commit)).map(([name, value]) => [name, value + wobble]);
        const order = pairs.length % 2 === 0 ? 'AB' : 'BA';
        pairs.push({
          ...{ commit, build, goodBuild: 0, round, order },
          logRatios: Object.fromEntries(values) as Record<string, number>,
        });
      }
      round++;
    }
  }
}

const stepAt =
  (culprit: number, size = 0.4) =>
  (commit: number) => ({ wall: commit >= culprit ? size : 0 });
const named = ({ verdict }: Asked) => (verdict.type === 'found' ? verdict.commits : verdict.type);
const buildsIn = ({ search }: Asked) =>
  new Set(search.evidence.pairs.map(({ commit, build }) => `${commit} ${build}`)).size;

test('finds the commit of a 5 % step among 32 under 2 % noise, counted exactly', () => {
  const world: SimulatedBisect = {
    ...{ commits: 32, step: 0.05, by: 'one', noise: 0.02 },
    options: { ...options, mostBuilds: 24 },
  };
  const found = Array.from({ length: 12 }, (_, at) => simulateBisect(world, 11 + at));
  assert.deepEqual(
    found.map(({ outcome, named }) => `${outcome} ${named}`),
    found.map(() => 'right 1'),
  );
  const pairs = found.reduce((sum, it) => sum + it.pairs, 0);
  assert.equal(pairs, 1359);
});

// A few searches of each; bench/accuracy-bisect.ts counts how often the answer is right.
for (const [name, more, expected] of [
  ['each build has its own 1 %', { builds: 0.01 }, ['right', 'undecided']],
  ['pairs are correlated', { correlation: 0.9 }, ['right', 'undecided']],
  ['a fifth of the pairs is disturbed', { tails: 'disturbed' }, ['right', 'undecided']],
  ['no commit did it', { step: 0 }, ['no-difference', 'undecided']],
  ['all commits did it, a little each', { by: 'spread' }, ['several', 'undecided']],
] as const)
  test(`names no wrong commit where ${name}`, () => {
    const world: SimulatedBisect = {
      ...{ commits: 32, step: 0.05, by: 'one', noise: 0.02, ...more },
      options: { ...options, mostBuilds: 24 },
    };
    const found = Array.from({ length: 5 }, (_, at) => simulateBisect(world, 901 + at).outcome);
    assert.ok(
      found.every((outcome) => expected.some((it) => it === outcome)),
      String(found),
    );
    assert.ok(found.includes(expected[0]), String(found));
  });

test('a large step needs a few pairs of each commit that halves, and one build of each', () => {
  const asked = answer(chain(64), stepAt(41));
  assert.deepEqual(named(asked), [41]);
  assert.deepEqual(asked.order.slice(0, 2), [63, 31]);
  assert.ok(!asked.order.includes(GOOD), 'the good commit is not built again');
  assert.equal(buildsIn(asked), asked.order.length);
  assert.ok(asked.search.evidence.pairs.length <= 36, String(asked.search.evidence.pairs.length));
});

test('what a build could do alone is checked with further builds of both neighbours and of the good commit', () => {
  const asked = answer(chain(16), stepAt(9, 0.05));
  assert.deepEqual(named(asked), [9]);
  const builds = (commit: number) =>
    new Set(asked.search.evidence.pairs.filter((it) => it.commit === commit).map(({ build }) => build)).size;
  assert.deepEqual([builds(8) >= 2, builds(9) >= 2, builds(GOOD) >= 1], [true, true, true]);
});

test('the first commit and the last one can be the culprit, and an only one', () => {
  for (const culprit of [0, 1, 15]) assert.deepEqual(named(answer(chain(16), stepAt(culprit))), [culprit]);
  const one = answer(chain(1), stepAt(0));
  assert.deepEqual([named(one), one.order], [[0], [0]]);
  assert.deepEqual(named(answer(chain(1), stepAt(0, 0.06))), [0]);
});

test('ends when good and bad do not differ, without building others', () => {
  const asked = answer(chain(16), () => ({ wall: 0 }));
  assert.equal(asked.verdict.type, 'no-difference');
  assert.deepEqual(new Set(asked.order), new Set([15, GOOD]));
});

test('says that the change is spread where each commit has the same part of it', () => {
  const asked = answer(chain(32), (commit) => ({ wall: (0.08 * (commit + 1)) / 32 }));
  assert.equal(asked.verdict.type, 'several');
  const found = conclude(asked.search, asked.verdict);
  assert.ok(found.state === 'several' && found.likely.length === 0 && found.certainty >= 0.95);
});

test('names two commits where each made half of it', () => {
  const asked = answer(chain(32), (commit) => ({ wall: (commit >= 9 ? 0.1 : 0) + (commit >= 22 ? 0.1 : 0) }));
  const found = conclude(asked.search, asked.verdict);
  assert.ok(found.state === 'several', found.state);
  assert.deepEqual(
    found.likely
      .slice(0, 2)
      .map(({ commit }) => commit)
      .sort((a, b) => a - b),
    [9, 22],
  );
});

test('names a set where the commits between cannot be measured', () => {
  const asked = answer(chain(16), stepAt(8), { skipped: [7, 8, 9] });
  assert.deepEqual(named(asked), [7, 8, 9, 10]);
  const found = conclude(asked.search, asked.verdict);
  assert.ok(found.state === 'found' && found.culprits.length === 4 && found.certainty >= 0.95);
  assert.ok(found.runnersUp.every(({ commit }) => commit < 7 || commit > 10));
});

test('finds a commit of a branch that was merged', () => {
  // 0 - 1 - 2 ----- 6 - 7, and 1 - 3 - 4 - 5 - 6: the culprit is 4.
  const suspects: Suspects = {
    parents: [[], [0], [1], [1], [3], [4], [2, 5], [6]],
    weights: [1, 1, 1, 1, 1, 1, 1, 1],
  };
  const among = (commits: readonly number[]) => (commit: number) => ({
    wall: commits.includes(commit) ? 0.4 : 0,
  });
  assert.deepEqual(named(answer(suspects, among([4, 5, 6, 7]))), [4]);
  assert.deepEqual(named(answer(suspects, among([2, 6, 7]))), [2]);
});

test('looks at likely commits first', () => {
  const suspects = { ...chain(16), weights: Array.from({ length: 16 }, (_, at) => (at === 12 ? 1000 : 1)) };
  const { order } = answer(suspects, stepAt(12));
  assert.ok([11, 12].includes(order[1] ?? 0), String(order));
});

test('a commit that is like neither of the two lowers the certainty, and is reported', () => {
  const size = 0.1;
  const clear = answer(chain(8), stepAt(4, size));
  const odd = answer(chain(8), (commit) => ({ wall: commit === 5 ? -0.3 : commit >= 4 ? size : 0 }));
  assert.ok(clear.verdict.type === 'found');
  // A search that never met the odd commit knows nothing of it: it is measured here beside what was.
  const pairs = [
    ...clear.search.evidence.pairs,
    ...odd.search.evidence.pairs.filter(({ commit }) => commit === 5),
    ...Array.from({ length: 6 }, (_, at): MeasuredPair => {
      return {
        commit: 5,
        build: 0,
        goodBuild: 0,
        round: 900 + at,
        order: at % 2 === 0 ? 'AB' : 'BA',
        logRatios: { wall: -0.3 },
      };
    }),
  ];
  const search: Search = { ...clear.search, evidence: { pairs, skipped: new Set() } };
  const reading = {
    measure: 'wall',
    posterior: posteriorOf(search.suspects, search.evidence, { measure: 'wall', minEffect: 0.01 }),
  };
  const { between } = conclude(search, { ...clear.verdict, reading });
  assert.deepEqual(
    between.map(({ commit }) => commit),
    [5],
  );
  const probability = (it: Reading) => it.posterior.one[4] ?? 0;
  assert.ok(probability(reading) < 0.95 && probability(clear.verdict.reading) >= 0.95);
  const next = nextStep(search);
  assert.ok(next.type !== 'found', 'it is no longer sure');
});

test('the measure that decides first gives the answer, and the others are heard', () => {
  const random = seededRandom(4);
  const asked = answer(chain(16), (commit) => {
    const work = commit >= 6 ? 0.2 : 0;
    return { wall: work + random() - 0.5, cpu: work };
  });
  assert.deepEqual(named(asked), [6]);
  const found = conclude(asked.search, asked.verdict);
  assert.equal(found.measure, 'cpu');
  assert.deepEqual(
    found.measures.map(({ measure, says }) => [measure, says === 'decided']),
    [
      ['wall', false],
      ['cpu', true],
    ],
  );
  assert.ok(found.state === 'found' && found.certainty >= 0.95);
  const noise = seededRandom(9);
  const equal = answer(chain(16), () => ({ wall: noise() - 0.5, cpu: 0 }));
  assert.deepEqual([equal.verdict.type, equal.verdict.reading.measure], ['no-difference', 'cpu']);
  const waiting = answer(chain(16), (commit) => ({ wall: commit >= 6 ? 0.2 : 0, cpu: 0 }));
  const { measures } = conclude(waiting.search, waiting.verdict);
  assert.deepEqual(
    measures.map(({ says }) => says),
    ['decided', 'disagrees'],
  );
});

test('no more builds than allowed are asked for, and that is said', () => {
  const asked = answer(chain(32), stepAt(9, 0.02), { mostBuilds: 6 });
  assert.ok(buildsIn(asked) + 1 <= 6);
  const found = conclude(asked.search, asked.verdict);
  assert.ok(found.state === 'undecided' && found.why === 'builds', found.state);
  assert.ok(found.likely.length > 0 && found.builds.most === 6);
});
