import type { ScoreOverSeeds, SeedScores } from '../core/curve-scores.ts';

/** Which tasks were learned by which algorithms: tasks x algorithms. */
export interface CurvesView {
  /** In the order in which they were found: by name of their files. */
  readonly tasks: readonly string[];
  readonly algorithms: readonly { readonly name: string; readonly isBaseline: boolean }[];
  /** One for each pair that was run; a pair without one was not run. */
  readonly cells: readonly CurveCell[];
  /** Columns that can be chosen for the axes, by how many curves have them. */
  readonly xNames: readonly string[];
  readonly yNames: readonly string[];
  /** Curves of earlier runs of the same pair, which are not shown. */
  readonly older: number;
  /** Files that hold none. */
  readonly unreadable: readonly { readonly path: string; readonly problem: string }[];
  /** There are more files than were read. */
  readonly isCut: boolean;
}

export interface CurveCell {
  readonly task: string;
  readonly algorithm: string;
  readonly seeds: readonly string[];
  readonly commit?: string;
  /** When the newest of them was written. */
  readonly at: number;
  /** Of the curves, below the home; absent for results of tests. */
  readonly files: readonly string[];
}

/** Curves of one task on a common axis for each algorithm. */
export interface CurveData {
  readonly task: string;
  readonly better: 'lower' | 'higher';
  readonly lines: readonly CurveLine[];
}

export interface CurveLine {
  readonly algorithm: string;
  readonly isBaseline: boolean;
  /** Names of the columns, which may differ between programs. */
  readonly xName: string;
  readonly yName: string;
  /** Columns of one length; null is a gap. */
  readonly x: readonly number[];
  readonly mean: readonly (number | null)[];
  /** Sample deviation (n - 1) over seeds. */
  readonly deviation: readonly (number | null)[];
  readonly iqm: readonly (number | null)[];
  /** 95 % bootstrap interval of the interquartile mean; of a stored mean the band that was stored with it. */
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  /** Seeds that have a value there. */
  readonly count: readonly number[];
  readonly hasStoredBand: boolean;
  /** Each seed for itself, in its own points. */
  readonly seeds: readonly CurveSeed[];
  readonly scores: CurveScores;
  /** Seeds that are left out, and why. */
  readonly notes: readonly string[];
}

export interface CurveSeed extends SeedScores {
  readonly seed: string;
  /** Where they were requested. */
  readonly x?: readonly number[];
  readonly y?: readonly (number | null)[];
}

export interface CurveScores {
  readonly final?: ScoreOverSeeds;
  readonly best?: ScoreOverSeeds;
  readonly area?: ScoreOverSeeds;
  /** Final value minus that of the baseline, by Welch's test; absent without a baseline or with too few seeds. */
  readonly against?: {
    readonly baseline: string;
    readonly difference: number;
    readonly low: number;
    readonly high: number;
    readonly p: number;
  };
}
