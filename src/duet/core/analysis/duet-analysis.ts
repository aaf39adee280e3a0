import type { Judgement } from '../../../stats/verdict.ts';
import type { DuetRunType } from '../duet.ts';

/** Everything `duet analyze` says; printed as a table, as JSON and as a page. */
export interface DuetAnalysis {
  readonly options: AnalysisOptions;
  readonly groups: readonly GroupAnalysis[];
  /** What was read and what was left out, and why; counted. */
  readonly notes: readonly string[];
}

export interface AnalysisOptions {
  readonly level: number;
  readonly minEffect: number;
  /** Share of both iterations that must overlap for an asynchronous pair to count: more than this, of both. */
  readonly minOverlap: number;
  readonly warmup: 'none' | 'half' | 'steady';
  readonly pairing: 'exact' | 'sweep';
  /** False discovery rate that is controlled over all groups of one type. */
  readonly fdr: number;
  readonly seed: number;
  /** Emulated slowdown of B, as a fraction; 0: none. */
  readonly slowdown: number;
  /** As the original does it: its labels, its cut, its pairs; its verdicts are those of `thesis`. */
  readonly compat: boolean;
}

/** One benchmark, one way of running, one place. */
export interface GroupAnalysis {
  readonly environment: string;
  readonly suite: string;
  readonly benchmark: string;
  readonly type: DuetRunType;
  readonly judgement: Judgement;
  /** The p value after correction for the number of groups; the verdict respects it. */
  readonly adjustedP?: number;
  /**
   * The same for the CPU time of the whole commands, start and warm-up included, one ratio a run. It is shown beside the verdict,
   * which it does not decide: what a program does while it warms up is not what was asked.
   */
  readonly cpu?: Judgement;
  readonly counts: GroupCounts;
  /** Means over all iterations after warm-up, nanoseconds; absent where a side has none. */
  readonly meanA?: number;
  readonly meanB?: number;
  /** Standard deviation of all iterations of both sides after warm-up, divided by their mean; absent with fewer than two. */
  readonly variation?: number;
  /** What it cost to measure; absent where the harness reports no timestamps. */
  readonly cost?: GroupCost;
  /** Sum of the overlaps of all pairs divided by half of the sum of all times; of asynchronous duets. */
  readonly overlapShare?: number;
  /** Other estimators, on the original's cut and pairs; where they were requested. */
  readonly thesis?: ThesisTest;
  readonly icpe?: IcpeEstimate;
  readonly mannWhitney?: { readonly p: number; readonly equal: boolean };
  /** One entry a run, in the order of the runs. */
  readonly runs: readonly RunAnalysis[];
}

export interface GroupCounts {
  readonly runs: number;
  readonly iterationsA: number;
  readonly iterationsB: number;
  readonly warmup: number;
  readonly pairs: number;
  /** Overlapping pairs below the smallest overlap. */
  readonly weakPairs: number;
  /** Iterations after warm-up that no pair has. */
  readonly unpaired: number;
}

/** Wall-clock time of all runs of a group, and how that compares with running the sides one after the other. */
export interface GroupCost {
  readonly seconds: number;
  readonly secondsPerIteration: number;
  /** Time an iteration took in sequential runs of the same benchmark at the same place / here, minus 1. */
  readonly speedup?: number;
}

export interface RunAnalysis {
  readonly runid: number;
  readonly pairs: number;
  /** Natural logarithm of B / A of this run; absent when it has no pair. */
  readonly logRatio?: number;
  /** Mean of A - B over its pairs, nanoseconds. */
  readonly difference?: number;
  /** Number of the first iteration after warm-up, by side; absent where the side has none. */
  readonly steadyFromA?: number;
  readonly steadyFromB?: number;
}

/** Mean difference A - B in nanoseconds over run means, BCa interval. */
export interface ThesisTest {
  readonly low: number;
  readonly high: number;
  readonly mid: number;
  readonly error: number;
  /** (high - low) / mean of all iterations. */
  readonly relativeWidth: number;
  readonly equal: boolean;
}

/** ICPE 2020: grand geometric mean of A / B, percentile interval over runs, 99 %. */
export interface IcpeEstimate {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly equal: boolean;
}

/** The default options; as `nightmark duet analyze` without options. */
export const DEFAULT_ANALYSIS: AnalysisOptions = {
  level: 0.95,
  minEffect: 0.01,
  minOverlap: 0,
  warmup: 'steady',
  pairing: 'exact',
  fdr: 0.05,
  seed: 1,
  slowdown: 0,
  compat: false,
};

/** How the original analyses: overlaps of more than 0.4 of both, found by its sweep, after the first half of a run. */
export const COMPAT_ANALYSIS = {
  minOverlap: 0.4,
  warmup: 'half',
  pairing: 'sweep',
  compat: true,
} as const satisfies Partial<AnalysisOptions>;
