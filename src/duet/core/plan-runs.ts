import { NightmarkError } from '../../platform/core/errors.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { type PythonRandom, pythonRandom } from '../../stats/mersenne-twister.ts';
import type { DuetBenchmark, DuetOrder, DuetSuite, PlannedRun } from './duet.ts';

interface PlanOptions {
  /** Whole names; the others are left out. Absent or empty: all. */
  readonly filter?: readonly string[];
  readonly seed: number | bigint;
}

/**
 * The runs of a suite in the order of their execution. Orders are drawn, and the list is shuffled, with the random
 * numbers and in the sequence of the original, so that a seed means the same plan. What is filtered out draws nothing.
 */
export function planRuns(suite: DuetSuite, { filter = [], seed }: PlanOptions): readonly PlannedRun[] {
  const random = pythonRandom(seed);
  const wanted = new Set(filter);
  const runs = suite.benchmarks
    .filter(({ name }) => wanted.size === 0 || wanted.has(name))
    .flatMap((benchmark) => runsOf(benchmark, random));
  return suite.schedule === 'randomized_interleaving_trials' ? random.shuffle(runs) : runs;
}

/** Refuses names of a filter that no suite has: a typing mistake must not look like a short run. */
export function checkFilter(filter: readonly string[], suites: readonly DuetSuite[]): void {
  const known = new Set(suites.flatMap(({ benchmarks }) => benchmarks.map(({ name }) => name)));
  for (const name of filter) {
    if (known.has(name)) continue;
    const close = nearest(name, known);
    throw new NightmarkError('DUET_UNKNOWN_BENCHMARK', `There is no duet ${JSON.stringify(name)}.`, {
      hint: close === undefined ? `There are: ${[...known].join(', ')}.` : `Did you mean "${close}"?`,
    });
  }
}

function runsOf(benchmark: DuetBenchmark, random: PythonRandom): readonly PlannedRun[] {
  const { name, duetRepetitions, syncduetRepetitions, sequentialRepetitions } = benchmark;
  const pairs = (type: 'duet' | 'syncduet', repetitions: number) =>
    Array.from(
      { length: repetitions },
      (_, runid): PlannedRun => ({
        type,
        benchmark: name,
        runid,
        order: orderOf(benchmark, runid, random),
      }),
    );
  return [
    ...pairs('duet', duetRepetitions),
    ...pairs('syncduet', syncduetRepetitions),
    ...Array.from({ length: sequentialRepetitions }, (_, runid): readonly PlannedRun[] => [
      { type: 'seqn', benchmark: name, runid, pair: 'A' },
      { type: 'seqn', benchmark: name, runid, pair: 'B' },
    ]).flat(),
  ];
}

function orderOf({ order }: DuetBenchmark, runid: number, random: PythonRandom): DuetOrder {
  switch (order) {
    case 'random':
      return random.choice<DuetOrder>(['AB', 'BA']);
    case 'swap':
      return runid % 2 === 0 ? 'AB' : 'BA';
    case 'in_order':
      return 'AB';
  }
}
