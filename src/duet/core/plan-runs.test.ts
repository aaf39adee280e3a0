import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DuetBenchmark, DuetSuite, PlannedRun } from './duet.ts';
import { checkFilter, planRuns } from './plan-runs.ts';

const side = { results: ['r'], command: ' x' };

function benchmark(name: string, rest: Partial<DuetBenchmark> = {}): DuetBenchmark {
  return {
    name,
    suite: 's',
    type: 'A-A',
    removeContainers: true,
    duetRepetitions: 1,
    syncduetRepetitions: 0,
    sequentialRepetitions: 0,
    order: 'random',
    sides: { A: side, B: side },
    ...rest,
  };
}

function suite(benchmarks: readonly DuetBenchmark[], rest: Partial<DuetSuite> = {}): DuetSuite {
  return { name: 'n', verbose: false, artifacts: [], schedule: 'sequential', benchmarks, ...rest };
}

function texts(runs: readonly PlannedRun[]): readonly string[] {
  return runs.map(
    (run) => `${run.type}.${run.benchmark}.${run.runid}.${run.type === 'seqn' ? run.pair : run.order}`,
  );
}

test('the sequential schedule goes by duet: pairs, synchronised pairs, then each side alone', () => {
  const two = benchmark('a', {
    order: 'in_order',
    duetRepetitions: 2,
    syncduetRepetitions: 1,
    sequentialRepetitions: 2,
  });
  assert.deepEqual(texts(planRuns(suite([two, benchmark('b', { order: 'in_order' })]), { seed: 1 })), [
    'duet.a.0.AB',
    'duet.a.1.AB',
    'syncduet.a.0.AB',
    'seqn.a.0.A',
    'seqn.a.0.B',
    'seqn.a.1.A',
    'seqn.a.1.B',
    'duet.b.0.AB',
  ]);
});

test('swapped orders alternate for each type and draw nothing', () => {
  const swapping = benchmark('a', { order: 'swap', duetRepetitions: 3, syncduetRepetitions: 2 });
  const drawing = benchmark('b', { duetRepetitions: 20 });
  const runs = texts(planRuns(suite([swapping, drawing]), { seed: 42 }));
  assert.deepEqual(runs.slice(0, 5), [
    'duet.a.0.AB',
    'duet.a.1.BA',
    'duet.a.2.AB',
    'syncduet.a.0.AB',
    'syncduet.a.1.BA',
  ]);
  assert.deepEqual(runs.slice(5), texts(planRuns(suite([drawing]), { seed: 42 })));
});

test('what is filtered out draws nothing', () => {
  const [a, b] = [benchmark('a', { duetRepetitions: 3 }), benchmark('b', { duetRepetitions: 3 })];
  const filtered = planRuns(suite([a, b]), { seed: 7, filter: ['b'] });
  assert.deepEqual(filtered, planRuns(suite([b]), { seed: 7 }));
  assert.deepEqual(planRuns(suite([a, b]), { seed: 7, filter: [] }), planRuns(suite([a, b]), { seed: 7 }));
});

test('an interleaved schedule has the same runs in another order, and the seed decides which', () => {
  const many = suite([benchmark('a', { duetRepetitions: 20, sequentialRepetitions: 5 })]);
  const mixed: DuetSuite = { ...many, schedule: 'randomized_interleaving_trials' };
  const [plain, first, again, other] = [
    planRuns(many, { seed: 3 }),
    planRuns(mixed, { seed: 3 }),
    planRuns(mixed, { seed: 3 }),
    planRuns(mixed, { seed: 4 }),
  ];
  assert.deepEqual(first, again);
  assert.notDeepEqual(first, other);
  assert.notDeepEqual(first, plain);
  assert.deepEqual([...texts(first)].sort(), [...texts(plain)].sort());
});

test('a name of a filter that no suite has is refused with the nearest one', () => {
  const suites = [suite([benchmark('chi-square')]), suite([benchmark('fop')])];
  checkFilter(['fop', 'chi-square'], suites);
  assert.throws(() => checkFilter(['fop', 'chi-sqare'], suites), {
    code: 'DUET_UNKNOWN_BENCHMARK',
    message: 'There is no duet "chi-sqare".',
    hint: 'Did you mean "chi-square"?',
  });
  assert.throws(() => checkFilter(['zzz'], suites), { hint: 'There are: chi-square, fop.' });
});
