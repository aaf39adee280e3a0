import type { Exit } from '../../executors/core/executor.ts';
import type { CommitFacts } from '../../formats/core/commit-facts.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { StageName } from './home.ts';

/** One pass over a definition. Its id sorts by time and can be typed. */
export interface Run {
  readonly id: string;
  readonly kind: 'night' | 'duet' | 'matrix' | 'job' | 'import';
  readonly project: string;
  /** Names the files of this run: month-day-year-hourminute, with "-2" for a second one in a minute. */
  readonly label: string;
  readonly state: RunState;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly seed?: number;
  readonly machineId?: string;
  readonly order: readonly string[];
  /** Example or imported data, not measured by this installation. */
  readonly origin: 'measured' | 'imported' | 'example';
  readonly warnings: readonly string[];
}

/** Without the order of its tasks, which is long in a large home. */
export type BriefRun = Omit<Run, 'order'>;

export type RunState = 'running' | 'finished' | 'interrupted';

/** One execution of one experiment (or subsystem) at one point. */
export interface Trial {
  readonly runId: string;
  readonly task: string;
  readonly kind: 'experiment' | 'subsystem';
  readonly title?: string;
  readonly state: TrialState;
  /** The stage that failed, where one did. */
  readonly failedStage?: StageName | 'precheck';
  readonly message: string;
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** Short hashes of the sources, by name. */
  readonly commits: Readonly<Record<string, string>>;
  /** What imported results say about these commits; the index keeps it by commit. */
  readonly commitFacts?: Readonly<Record<string, CommitFacts>>;
}

export type TrialState = 'succeeded' | 'failed' | 'inactive' | 'skipped' | 'running' | 'waiting';

/** One finished stage of one trial. */
export interface StageResult {
  readonly task: string;
  readonly kind: 'experiment' | 'subsystem';
  readonly stage: StageName | 'precheck';
  readonly success: boolean;
  readonly message: string;
  /** Further fields that the script left in its status.json. */
  readonly extra: JsonObject;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attempts: number;
  readonly exit?: Exit;
  /** Path of the log, relative to the home. */
  readonly log?: string;
}

/** All stages of a trial in their order. */
export const STAGE_ORDER: readonly StageResult['stage'][] = [
  'precheck',
  'source',
  'setup',
  'run',
  'analyze',
  'visualize',
  'summarize',
];

/** Where a trial ran: facts of the machine, and a hash of those that matter for results. */
export interface Machine {
  readonly id: string;
  readonly name: string;
  readonly facts: JsonObject;
}
