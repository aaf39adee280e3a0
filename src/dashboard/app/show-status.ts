import { payloadStart } from '../../formats/core/kpi/read-payload.ts';
import { countTrials } from '../../home/app/run-queries.ts';
import {
  type FollowedChange,
  isOpenMachineEvent,
  isOpenRegression,
  isOpenUnknown,
} from '../../home/core/changes/change-ledger.ts';
import type { Run, RunState, StageResult, Trial } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import { isDetail } from '../../judge/app/series/series-values.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { TrialCounts } from '../../platform/core/text/describe-night.ts';

export interface StatusRequest {
  readonly home: string;
  /** How many nights to look back. */
  readonly nights: number;
  /** The lock of the home is held; else a night in state "running" was interrupted. */
  readonly isHeld: boolean;
}

export interface HomeStatus {
  readonly home: string;
  /** Runs of all kinds in the index. */
  readonly runs: number;
  /** The newest night, with its tasks. */
  readonly last?: NightDetail;
  /** Newest first, the last one included. */
  readonly nights: readonly NightSummary[];
  /** Regressions that are not reviewed yet, newest first; absent: none. */
  readonly regressions?: readonly FollowedChange[];
  /** Changes of machines that are not reviewed yet. */
  readonly machines?: readonly FollowedChange[];
  /** Changes of series whose good direction is not defined. */
  readonly unknown?: readonly FollowedChange[];
  /** Absent: nothing was imported. */
  readonly imports?: ImportsStatus;
  /** Absent: no test of a matrix is kept here. */
  readonly kpis?: KpisStatus;
}

export interface NightSummary {
  readonly id: string;
  readonly label: string;
  readonly state: RunState;
  readonly origin: Run['origin'];
  readonly startedAt: number;
  /** Absent where only the data files of a night are known. */
  readonly durationMs?: number;
  readonly seed?: number;
  readonly experiments: TrialCounts;
  readonly subsystems: TrialCounts;
}

export interface NightDetail extends NightSummary {
  readonly tasks: readonly TaskStatus[];
  readonly warnings: readonly string[];
}

export interface TaskStatus {
  readonly task: string;
  readonly kind: Trial['kind'];
  readonly title?: string;
  readonly state: Trial['state'];
  readonly failedStage?: StageResult['stage'];
  readonly message: string;
  readonly durationMs?: number;
  /** Log of the stage that failed, relative to the home. */
  readonly log?: string;
}

const MOST_CHANGES = 10_000;

/** How the last nights went. Reads only the requested nights, however many there are. */
export async function showStatus(
  { home, nights, isHeld }: StatusRequest,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<HomeStatus> {
  const runs = await store.latestRuns({ kind: 'night', limit: Math.max(1, nights) });
  const [newest] = runs;
  const summaries: NightSummary[] = [];
  for (const run of runs) {
    const isRunning = run === newest && isHeld;
    summaries.push(summarize(run, await store.trialsOf([run.id]), isRunning ? clock.now() : undefined));
  }
  const open = await store.changes({ isOpen: true, limit: MOST_CHANGES });
  const [regressions, machines] = [open.filter(isOpenRegression), open.filter(isOpenMachineEvent)];
  const unknown = open.filter(isOpenUnknown);
  const [imports, kpis] = [await importsStatus(store), await kpisStatus(store)];
  const status = {
    ...{ home, runs: await store.countRuns(), nights: summaries.slice(0, nights) },
    ...(regressions.length > 0 && { regressions }),
    ...(machines.length > 0 && { machines }),
    ...(unknown.length > 0 && { unknown }),
    ...(imports && { imports }),
    ...(kpis && { kpis }),
  };
  const summary = summaries[0];
  if (!newest || !summary) return status;
  const stages = await store.stagesOf(newest.id);
  const tasks = inOrder(newest, await store.trialsOf([newest.id])).map((trial) => toTask(trial, stages));
  return { ...status, last: { ...summary, tasks, warnings: newest.warnings } };
}

/** `now` is given for the run that may be running; without it, a run in state "running" is dead. */
function summarize(run: Run, trials: readonly Trial[], now: number | undefined): NightSummary {
  const state = run.state === 'running' && now === undefined ? 'interrupted' : run.state;
  const end = run.endedAt ?? (state === 'running' ? now : undefined);
  return {
    id: run.id,
    label: run.label,
    state,
    origin: run.origin,
    startedAt: run.startedAt,
    ...(end === undefined ? {} : { durationMs: end - run.startedAt }),
    ...(run.seed === undefined ? {} : { seed: run.seed }),
    experiments: countTrials(trials, 'experiment'),
    subsystems: countTrials(trials, 'subsystem'),
  };
}

/** Experiments as they were run, those outside of the order after them, subsystems last. */
function inOrder({ order }: Run, trials: readonly Trial[]): readonly Trial[] {
  const positions = new Map(order.map((task, index) => [task, index]));
  const position = ({ kind, task }: Trial) =>
    kind === 'subsystem' ? Number.MAX_SAFE_INTEGER : (positions.get(task) ?? order.length);
  return trials.toSorted((a, b) => position(a) - position(b));
}

function toTask(trial: Trial, stages: readonly StageResult[]): TaskStatus {
  const { task, kind, title, state, failedStage, message, durationMs } = trial;
  const failed = stages.find((it) => it.task === task && it.kind === kind && it.stage === failedStage);
  return {
    task,
    kind,
    ...(title === undefined ? {} : { title }),
    state,
    ...(failedStage === undefined ? {} : { failedStage }),
    message,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(failed?.log === undefined ? {} : { log: failed.log }),
  };
}

/** The imported results of a home. */
export interface ImportsStatus {
  /** The newest results, by when they were measured. */
  readonly last: {
    readonly id: string;
    readonly label: string;
    readonly startedAt: number;
    readonly experiment: string;
    /** How many series were read from which file. */
    readonly message: string;
  };
  readonly imports: number;
  /** By how many imports go: there may be more. */
  readonly isCut: boolean;
  readonly experiments: number;
  readonly series: number;
}

/** The results of matrix tests of a home. */
export interface KpisStatus {
  /** Start of the newest test; absent where it is unknown. */
  readonly lastAt?: number;
  readonly series: number;
}

const MOST_IMPORTS = 10_000;
const MOST_SERIES = 1_000_000;

/** Undefined: nothing was imported. */
async function importsStatus(store: Store): Promise<ImportsStatus | undefined> {
  const runs = await store.latestRuns({ limit: MOST_IMPORTS, kind: 'import' });
  const [newest] = runs;
  if (!newest) return undefined;
  const experiments = new Set(runs.flatMap(({ order }) => order));
  let series = 0;
  for (const experiment of experiments)
    series += (await store.series({ experiment, limit: MOST_SERIES })).filter((one) => !isDetail(one)).length;
  const [trial] = await store.trialsOf([newest.id]);
  const { id, label, startedAt, order } = newest;
  return {
    last: { id, label, startedAt, experiment: order[0] ?? '', message: trial?.message ?? '' },
    imports: runs.length,
    isCut: runs.length === MOST_IMPORTS,
    experiments: experiments.size,
    series,
  };
}

/** Undefined: no test of a matrix is kept here. */
async function kpisStatus(store: Store): Promise<KpisStatus | undefined> {
  const [newest] = await store.payloads({ limit: 1 });
  if (!newest) return undefined;
  const lastAt = payloadStart(newest);
  const series = (await store.kpiSeries({ limit: MOST_SERIES })).length;
  return { ...(Number.isFinite(lastAt) && { lastAt }), series };
}
