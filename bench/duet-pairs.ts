/**
 * How the pairs of one run become one ratio: error of several ways on simulated duets with a known ratio, in percent,
 * as mean ± deviation over runs. The first way is the one in use; docs/guide/duet-analysis.md shows the table.
 */
import { findOverlaps, type Pairs } from '../src/duet/core/analysis/pair-iterations.ts';
import { logRatioOfPairs, logRatiosOf, type Sides } from '../src/duet/core/analysis/pair-ratios.ts';
import type { Iterations } from '../src/formats/core/format.ts';
import { runLogRatio } from '../src/stats/run-ratio.ts';
import { simulateDuets } from '../test/support/simulated-duets.ts';

const RUNS = 2_000;

type Way = (sides: Sides, pairs: (minOverlap: number) => Pairs) => number | undefined;

const WAYS: Readonly<Record<string, Way>> = {
  'in use': (sides, pairs) => logRatioOfPairs(sides, pairs(0)),
  'overlap > 0.4': (sides, pairs) => logRatioOfPairs(sides, pairs(0.4)),
  'equal weights': (sides, pairs) => runLogRatio(logRatiosOf(sides, pairs(0))),
  'weights = overlap': (sides, pairs) => runLogRatio(logRatiosOf(sides, pairs(0)), pairs(0).weights),
  'equal, > 0.4, mean': (sides, pairs) => meanOf(logRatiosOf(sides, pairs(0.4))),
};

const CELLS = [
  { name: 'quiet', noise: 0.02, burst: 0.05 },
  { name: 'bursts', noise: 0.02, burst: 0.6 },
  { name: 'bursts, uneven iterations', noise: 0.1, burst: 0.6 },
];

console.log(`| machine | B / A | ${Object.keys(WAYS).join(' | ')} |`);
console.log(
  `|---|---|${Object.keys(WAYS)
    .map(() => '---|')
    .join('')}`,
);
for (const { name, noise, burst } of CELLS) {
  for (const ratio of [1, 1.02, 1.5, 2, 3]) {
    const runs = simulateDuets({ seed: 1, runs: RUNS, iterations: 30, ratio, noise, burst, runEffect: 0 });
    const errors = Object.values(WAYS).map((way) => runs.flatMap((run) => errorOf(way, run, ratio)));
    console.log(`| ${name} | ${ratio} | ${errors.map(describe).join(' | ')} |`);
  }
}

function errorOf(way: Way, { A, B }: Partial<Sides>, ratio: number): number[] {
  if (!A || !B) return [];
  const found = way({ A, B }, (minOverlap) => findOverlaps(spans(A), spans(B), minOverlap));
  return found === undefined || Number.isNaN(found) ? [] : [100 * (found - Math.log(ratio))];
}

function spans({ starts = new Float64Array(0), ends = new Float64Array(0), times }: Iterations) {
  return { starts, ends, times };
}

function describe(errors: readonly number[]): string {
  if (errors.length === 0) return 'no pairs';
  const mean = meanOf(errors);
  const deviation = Math.sqrt(meanOf(errors.map((error) => (error - mean) ** 2)));
  const without = errors.length < RUNS ? ` (${RUNS - errors.length} runs without)` : '';
  return `${mean.toFixed(2)} ± ${deviation.toFixed(2)}${without}`;
}

function meanOf(values: Iterable<number>): number {
  let [total, count] = [0, 0];
  for (const value of values) {
    total += value;
    count++;
  }
  return total / count;
}
