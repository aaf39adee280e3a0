import type { Run, Trial } from '../../../home/core/run.ts';
import type { ComparedRow, RowCounts } from '../../core/compare/compared-row.ts';
import type { DifferingFacts } from '../../core/compare/differing-facts.ts';
import type { SourceChange } from '../../core/explain/explanation.ts';

/** Two sets of runs beside each other: everything about base..head. */
export interface CompareView {
  readonly base: SideView;
  readonly head: SideView;
  /** What matters most first. */
  readonly rows: readonly ComparedRow[];
  readonly counts: RowCounts;
  /** Spreads and counts below "detailed" that are not among the rows. */
  readonly details: number;
  /** Experiments that failed in a run of either side. */
  readonly failures: readonly SideFailure[];
  readonly differences: Differences;
  /** What weakens the comparison, one sentence each. */
  readonly notes: readonly string[];
  readonly minEffect: number;
  /** Of the intervals: 0.95. */
  readonly level: number;
}

export interface SideView {
  /** As requested, or the run that was taken by default. */
  readonly asked: string;
  /** Newest first. */
  readonly runs: readonly SideRun[];
  /** Runs that it names; more than `runs` has where there are many. */
  readonly matched: number;
}

export interface SideRun extends Pick<Run, 'id' | 'label' | 'kind' | 'state' | 'origin' | 'startedAt'> {
  readonly machine?: string;
  readonly machineId?: string;
  /** Short hashes of its sources. */
  readonly commits: Readonly<Record<string, string>>;
}

export interface SideFailure extends Pick<Trial, 'runId' | 'failedStage'> {
  readonly side: 'base' | 'head';
  readonly experiment: string;
  /** Runs of the side in which it failed, of those that had it. */
  readonly failed: number;
  readonly of: number;
  /** The beginning of the message of the newest one. */
  readonly message: string;
}

export interface Differences extends DifferingFacts {
  /** What lies between the commits of a source. */
  readonly sources: readonly SourceChange[];
  /** What could not be read, one sentence each. */
  readonly notes: readonly string[];
}
