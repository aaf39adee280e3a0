import { bootstrapMean } from '../../stats/bootstrap.ts';
import { cutWarmup } from './cut-warmup.ts';
import type { AnalysisOptions, IcpeEstimate } from './duet-analysis.ts';
import type { DuetIterations } from './duet-iterations.ts';
import { logRatiosOf } from './measure-pairs.ts';
import { pairIterations } from './pair-iterations.ts';
import { slowDown } from './slow-down.ts';

/**
 * The estimator of Bulej et al., "Duet Benchmarking" (ICPE 2020): geometric mean of A / B of each run, their geometric
 * mean over runs, and a percentile interval of 99 % from 10,000 resamples of the runs. Undefined with fewer than two.
 */
export function icpeEstimate(runMeans: Float64Array, random: () => number): IcpeEstimate | undefined {
  if (runMeans.length < 2) return undefined;
  const logs = runMeans.map((value) => Math.log(value));
  const { low, high } = bootstrapMean(logs, { level: 0.99, resamples: 10_000, random });
  const ratio = Math.exp(logs.reduce((total, value) => total + value, 0) / logs.length);
  return { ratio, low: Math.exp(low), high: Math.exp(high), equal: low <= 0 && high >= 0 };
}

/**
 * Geometric mean of A / B of one run as the paper takes it: the first half of the iterations of suites that warm up
 * dropped, and at most one ratio far outside the others replaced. Undefined without pairs.
 */
export function icpeRunMean(run: DuetIterations, options: AnalysisOptions): number | undefined {
  const { A: keptA, B: keptB } = cutWarmup(run, { warmup: 'half', compat: true });
  if (!keptA || !keptB) return undefined;
  const A = keptA.iterations;
  const B = slowDown(keptB.iterations, options.slowdown, run.type);
  const pairs = pairIterations({ type: run.type, A, B }, options);
  if (pairs.count === 0) return undefined;
  const ratios = winsorizeOne(logRatiosOf({ A, B }, pairs).map((logRatio) => Math.exp(-logRatio)));
  return Math.exp(ratios.reduce((total, ratio) => total + Math.log(ratio), 0) / ratios.length);
}

/** How far beyond the range of the others, as a part of it, one value may lie. */
const BEYOND = 0.2;

/** One value that lies more than a fifth of the range of all others outside of it becomes the nearest of them. */
export function winsorizeOne(values: Float64Array): Float64Array {
  if (values.length < 3) return values;
  const sorted = values.slice().sort();
  const at = (index: number) => sorted.at(index) as number; // at least three are there
  const below = at(1) - at(0) - BEYOND * (at(-1) - at(1));
  const above = at(-1) - at(-2) - BEYOND * (at(-2) - at(0));
  if (below <= 0 && above <= 0) return values;
  const [odd, nearest] = above >= below ? [at(-1), at(-2)] : [at(0), at(1)];
  const result = values.slice();
  result[result.indexOf(odd)] = nearest;
  return result;
}
