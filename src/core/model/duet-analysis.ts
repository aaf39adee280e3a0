import type { DuetRunType } from './duet.ts';
import type { Judgement } from './verdict.ts';

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
  /** Share of both iterations that must overlap for an asynchronous pair to count. */
  readonly minOverlap: number;
  readonly warmup: 'none' | 'half' | 'steady';
  readonly pairing: 'exact' | 'sweep';
  /** False discovery rate that is controlled over all groups. */
  readonly fdr: number;
  readonly seed: number;
  /** Emulated slowdown of B, as a fraction; 0: none. */
  readonly slowdown: number;
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
  readonly counts: GroupCounts;
  /** Means over all iterations that count, nanoseconds. */
  readonly meanA: number;
  readonly meanB: number;
  /** Coefficient of variation of all iterations, in duets and alone. */
  readonly variation: number;
  /** Other estimators, for those who know them. */
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
}

export interface RunAnalysis {
  readonly runid: number;
  readonly pairs: number;
  /** Natural logarithm of B / A of this run. */
  readonly logRatio: number;
  /** First measured iteration after warm-up, by side. */
  readonly steadyFromA: number;
  readonly steadyFromB: number;
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
