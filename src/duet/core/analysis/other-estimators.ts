import { bootstrapMean } from '../../../stats/bootstrap.ts';
import { seededRandom } from '../../../stats/random.ts';
import { mannWhitney } from '../../../stats/rank-tests.ts';
import { type DuetIterations, groupKey, type RunGroup } from '../duet-iterations.ts';
import { cutWarmup } from './cut-warmup.ts';
import {
  type AnalysisOptions,
  COMPAT_ANALYSIS,
  type GroupAnalysis,
  type IcpeEstimate,
  type ThesisTest,
} from './duet-analysis.ts';
import { joinColumns, measureRun, present, slowDown, spreadOf, timesOf } from './measure-run.ts';
import { pairIterations } from './pair-iterations.ts';
import { logRatiosOf } from './pair-ratios.ts';

/**
 * What other estimators give for the same runs: cut and paired as the original does it, whatever the options of our own judgement are.
 * Each has random numbers of its own, so that none depends on what else is analysed beside it.
 */
export function otherEstimators(group: RunGroup, options: AnalysisOptions): OtherEstimates {
  const original = options.compat ? options : { ...options, ...COMPAT_ANALYSIS };
  const measured = group.map((run) => measureRun(run, original));
  const key = groupKey(group[0]);
  const [a, b] = [timesOf(measured, 'A'), timesOf(measured, 'B')];
  const grandMean = spreadOf([...a, ...b])?.mean ?? Number.NaN;
  const differences = present(measured.map(({ analysis }) => analysis.difference));
  const thesis = thesisTest(differences, { grandMean, random: groupRandom(options.seed, `${key} thesis`) });
  const runMeans = present(group.map((run) => icpeRunMean(run, original)));
  const icpe = icpeEstimate(runMeans, groupRandom(options.seed, `${key} icpe`));
  const ranks = poolRanks(joinColumns(a), joinColumns(b));
  return { ...(thesis && { thesis }), ...(icpe && { icpe }), ...(ranks && { mannWhitney: ranks }) };
}

type OtherEstimates = Pick<GroupAnalysis, 'thesis' | 'icpe' | 'mannWhitney'>;

/** All iterations of A against all of B, as if they were independent: the original's second test. */
function poolRanks(a: Float64Array, b: Float64Array): GroupAnalysis['mannWhitney'] {
  if (a.length === 0 || b.length === 0) return undefined;
  const { p } = mannWhitney(a, b);
  return { p, equal: p > 0.05 };
}

interface ThesisOptions {
  /** Mean of all iterations of both sides before pairing, which widths are measured by. */
  readonly grandMean: number;
  readonly random: () => number;
}

/**
 * The original's test: a BCa interval of 95 % for the mean difference A - B over run means. Centre and half width of the
 * interval stand for the estimate and its error, and sides are equal when 0 is inside. Kept for comparison: on few runs
 * it calls too many equal sides different. Undefined with fewer than two runs.
 */
function thesisTest(differences: Float64Array, { grandMean, random }: ThesisOptions): ThesisTest | undefined {
  if (differences.length < 2) return undefined;
  const { low, high } = bootstrapMean(differences, { level: 0.95, resamples: 9_999, method: 'bca', random });
  const mid = (low + high) / 2;
  const error = (high - low) / 2;
  return { low, high, mid, error, relativeWidth: (high - low) / grandMean, equal: Math.abs(mid) <= error };
}

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
function icpeRunMean(run: DuetIterations, options: AnalysisOptions): number | undefined {
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

/** Random numbers of a group: the same for the same seed and name, unrelated between names (FNV-1a of the name). */
function groupRandom(seed: number, name: string): () => number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return seededRandom(hash);
}
