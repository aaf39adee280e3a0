import type { CommitFacts } from '../../formats/core/commit-facts.ts';
import type { KpiPoint, KpiSeries, Payload } from '../../formats/core/kpi/kpi.ts';
import type { PointColumns, SampleSet, Series, SeriesValue } from '../../formats/core/sample.ts';
import type { Absence, FollowedChange } from './changes/change-ledger.ts';
import type { DirectionRule } from './changes/directions.ts';
import type { Machine, Run, StageResult, Trial } from './run.ts';

/**
 * The index of a home, and the place of its time series. Contract (test/contracts/stores.test.ts):
 * 1. Every save is idempotent: saving the same thing again, or a newer state of it, leaves one of it.
 * 2. What was saved is there after the process dies, and another process may read while one writes.
 * 3. History comes back sorted by time, as columns; nothing reads more than was requested.
 * 4. A change has one row, however it is reviewed; it is found by the beginning of its id, which is a text, not a pattern.
 * 5. clearIndex forgets everything that `reindex` can rebuild from files, and nothing else.
 * 6. A series has the direction that was declared for it, else that of its values, else what its names and unit say.
 */
export interface Store {
  saveRun(run: Run): Promise<void>;
  saveTrials(trials: readonly Trial[]): Promise<void>;
  saveStages(runId: string, stages: readonly StageResult[]): Promise<void>;
  saveMachine(machine: Machine): Promise<void>;
  /** Numbers of one trial's data file; `at` is the start of the run. */
  saveValues(batch: ValueBatch): Promise<void>;
  saveSamples(runId: string, task: string, samples: readonly SampleSet[]): Promise<void>;
  appendPoints(runId: string, columns: readonly PointColumns[]): Promise<void>;
  /** One document for each test id: a test that is saved again is replaced, with its KPIs. */
  savePayloads(payloads: readonly Payload[]): Promise<void>;
  /** Changes as the ledger of the home has them now, by their id. */
  saveChanges(changes: readonly FollowedChange[]): Promise<void>;
  /** Which directions the definition declares, in the place of those that were; series have them from then on. */
  saveDirections(rules: readonly DirectionRule[]): Promise<void>;
  /** All series that are missing now, in the place of those that were. */
  saveAbsences(absences: readonly Absence[]): Promise<void>;
  /** What was judged of series, each in the place of what was judged before. */
  saveJudgements(judgements: readonly StoredJudgement[]): Promise<void>;

  countRuns(): Promise<number>;
  /** Newest first. */
  latestRuns(query: RunQuery): Promise<readonly Run[]>;
  run(id: string): Promise<Run | undefined>;
  trialsOf(runIds: readonly string[]): Promise<readonly Trial[]>;
  /** How an experiment ended in the newest `limit` runs of the range that had it, oldest first. */
  outcomes(query: OutcomeQuery): Promise<readonly Outcome[]>;
  /** What became of the trials of many runs, without reading each of them. */
  trialDigest(runIds: readonly string[]): Promise<TrialDigest>;
  /** For every task the newest of these runs that it was part of, by kind and name. */
  newestTasks(runIds: readonly string[]): Promise<readonly Pick<Trial, 'runId' | 'kind' | 'task'>[]>;
  /** The experiments of a run by what became of them. */
  trialGroups(runId: string): Promise<readonly TrialGroup[]>;
  /** What imported results said about a commit of a source. */
  commitFacts(source: string, hash: string): Promise<CommitFacts | undefined>;
  stagesOf(runId: string): Promise<readonly StageResult[]>;
  machine(id: string): Promise<Machine | undefined>;
  /** On which machines runs of these kinds were measured, each with its first run; oldest first. */
  machineUse(kinds: readonly Run['kind'][]): Promise<readonly MachineUse[]>;
  series(query: SeriesQuery): Promise<readonly Series[]>;
  history(seriesId: number, query: HistoryQuery): Promise<History>;
  /** As `history`, for a chart: where there are more than `limit`, the extremes of ranges of time, and the newest. */
  thinned(seriesId: number, query: HistoryQuery): Promise<ThinnedHistory>;
  /** Every value that these runs brought, of all series; a run that is not there brought none. */
  valuesOf(runs: readonly Pick<Run, 'id' | 'startedAt'>[]): Promise<RunValues>;
  samplesOf(runId: string, task: string): Promise<readonly SampleSet[]>;
  pointsOf(runId: string): Promise<readonly PointColumns[]>;
  /** The newest `limit` documents in the range of time, oldest first. */
  payloads(query: HistoryQuery): Promise<readonly Payload[]>;
  /** The newest value of each series of each KPI, by name and labels. */
  latestKpis(query: { readonly limit: number }): Promise<readonly KpiPoint[]>;
  /** All series of KPIs, or those that a test has a value of; by name and labels. */
  kpiSeries(query: { readonly limit: number; readonly testId?: string }): Promise<readonly KpiSeries[]>;
  /** As `history`; a run is a test, and a list of values its median. */
  kpiHistory(series: Pick<KpiSeries, 'name' | 'labels'>, query: HistoryQuery): Promise<History>;
  /** The newest first, by when they begin. */
  changes(query: ChangeQuery): Promise<readonly FollowedChange[]>;
  absences(): Promise<readonly Absence[]>;
  directions(): Promise<readonly DirectionRule[]>;
  /** What was judged of a series last; undefined: nothing was. Outdated: values of it were saved since. */
  judgement(series: string): Promise<{ readonly document: string; readonly isOutdated: boolean } | undefined>;

  clearIndex(): Promise<void>;
  /** Many saves as one; the store calls back. */
  together<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface ValueBatch {
  readonly runId: string;
  readonly task: string;
  readonly at: number;
  readonly values: readonly SeriesValue[];
}

export interface StoredJudgement {
  /** Key of the series: see core/changes/change.ts. */
  readonly series: string;
  readonly document: string;
}

/** Runs of one machine and origin. */
export interface MachineUse extends Pick<Run, 'machineId' | 'origin'> {
  readonly first: Pick<Run, 'id' | 'startedAt'>;
}

export interface TrialDigest {
  readonly counts: readonly (Pick<Trial, 'runId' | 'kind' | 'state'> & { readonly count: number })[];
  readonly failed: readonly Pick<Trial, 'runId' | 'kind' | 'task'>[];
  /** Every set of commits that trials of a run had, once for each run. */
  readonly commits: readonly Pick<Trial, 'runId' | 'commits'>[];
}

/** Experiments of one run that ended alike. */
export interface TrialGroup extends Pick<Trial, 'state' | 'commits'> {
  readonly tasks: readonly string[];
}

export interface RunQuery {
  readonly limit: number;
  /** Without the order of their tasks, which is long in a large home. */
  readonly isBrief?: boolean;
  readonly kind?: Run['kind'];
  readonly state?: Run['state'];
  readonly before?: number;
}

export interface SeriesQuery {
  readonly experiment?: string;
  readonly limit: number;
}

export interface ChangeQuery {
  readonly limit: number;
  /** Ids that begin so. */
  readonly id?: string;
  readonly experiment?: string;
  /** Key of one series: see seriesKey in core/changes/change.ts. */
  readonly series?: string;
  /** Those that wait for a review. */
  readonly isOpen?: boolean;
}

export interface HistoryQuery {
  readonly limit: number;
  readonly from?: number;
  readonly to?: number;
}

export interface OutcomeQuery extends HistoryQuery {
  readonly experiment: string;
}

/** A trial as a history needs it: where, when and with what it was run, and how it ended. */
export interface Outcome {
  readonly runId: string;
  readonly label: string;
  /** Start of the run. */
  readonly at: number;
  readonly state: Trial['state'];
  /** Its first 300 characters. */
  readonly message: string;
  readonly durationMs?: number;
  readonly machineId?: string;
  readonly commits: Trial['commits'];
}

/** Columns of one length: which series, which of the requested runs (its place), and the value. By series, then time. */
export interface RunValues {
  readonly series: Int32Array;
  readonly runs: Int32Array;
  readonly values: Float64Array;
}

/** The newest `limit` values in the range, oldest first. */
export interface History {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly runIds: readonly string[];
}

export interface ThinnedHistory extends History {
  /** How many values there are in the range. */
  readonly count: number;
}
