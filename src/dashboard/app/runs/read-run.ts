import type { NightView } from '../../../home/app/run-queries.ts';
import { runFiles } from '../../../home/core/home-layout.ts';
import type { PointResult, RunOptions } from '../../../home/core/journal.ts';
import { type Machine, type Run, STAGE_ORDER, type StageResult, type Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { dirName, whyInvalidName } from '../../../platform/core/path.ts';
import { inNaturalOrder } from '../../../platform/core/text/text-order.ts';
import { lastSign } from '../home/read-home.ts';
import { nightView } from '../home/read-overview.ts';
import { type ComparedRun, compareWithBefore, type SinceBefore } from './compare-with-before.ts';
import { type ImportOrigin, readJournalFacts } from './journal-facts.ts';
import { type RepeatCommand, repeatCommands } from './repeat-commands.ts';

/** Everything the page of one run shows. */
export interface RunView extends NightView {
  /** Where the home lies; in a static site only its name. */
  readonly home: string;
  /** In the order in which they were run; those the order does not name last. */
  readonly tasks: readonly TaskView[];
  /** As it was when the run began, where that was recorded. */
  readonly machine?: Machine;
  /** Of the command that began it. */
  readonly options?: RunOptions;
  readonly resumedAt: readonly number[];
  readonly imported?: ImportOrigin;
  /** Absent for the first run of its kind. */
  readonly sinceBefore?: SinceBefore;
  readonly commands: readonly RepeatCommand[];
  /** Of a run that has not ended: when its journal was written last. */
  readonly lastSignAt?: number;
}

export interface TaskView {
  readonly trial: Trial;
  readonly stages: readonly StageResult[];
  /** Of a task that runs. */
  readonly atWork?: StageAtWork;
  /** Of an experiment with a matrix: how its points ended. */
  readonly points?: PointList;
}

export interface PointList {
  readonly done: number;
  /** Those that failed, the first ones. */
  readonly failed: readonly PointResult[];
  readonly failedCount: number;
}

export interface RunRequest {
  readonly home: string;
  readonly id: string;
}

const POINTS_SHOWN = 50;

/** Undefined when there is no run of that id. */
export async function readRun(
  { home, id }: RunRequest,
  { store, disk }: { readonly store: Store; readonly disk: Disk },
): Promise<RunView | undefined> {
  const run = await store.run(id);
  if (!run) return undefined;
  const trials = await store.trialsOf([id]);
  const stages = await store.stagesOf(id);
  const journal = await readJournalFacts(home, id, disk);
  const machine =
    journal.machine ?? (run.machineId === undefined ? undefined : await store.machine(run.machineId));
  const compared: ComparedRun = { run, trials, journal };
  const sinceBefore = await compareWithBefore(compared, { home, store, disk });
  const { lastSignAt } = await lastSign(run.id, home, disk);
  return {
    ...nightView(run, trials),
    home,
    tasks: await tasksOf(compared, stages, { home, disk }),
    ...(machine && { machine }),
    ...(journal.options && { options: journal.options }),
    resumedAt: journal.resumedAt,
    ...(journal.imported && { imported: journal.imported }),
    ...(sinceBefore && { sinceBefore }),
    commands: repeatCommands(compared),
    ...(lastSignAt !== undefined && run.state !== 'finished' && { lastSignAt }),
  };
}

async function tasksOf(
  { run, trials, journal }: ComparedRun,
  stages: readonly StageResult[],
  { home, disk }: { readonly home: string; readonly disk: Disk },
): Promise<readonly TaskView[]> {
  const groups = groupStages(stages);
  const tasks: TaskView[] = [];
  for (const trial of inOrder(run, trials)) {
    const isAtWork = run.state === 'running' && trial.state === 'running';
    const points = trial.kind === 'experiment' ? journal.points.get(trial.task) : undefined;
    tasks.push({
      trial,
      stages: groups.get(keyOf(trial)) ?? [],
      ...(isAtWork && { atWork: await stageAtWork(trial, { home, stages, since: run.startedAt }, disk) }),
      ...(points && { points: listPoints(points) }),
    });
  }
  return tasks;
}

function groupStages(stages: readonly StageResult[]): ReadonlyMap<string, readonly StageResult[]> {
  const groups = new Map<string, StageResult[]>();
  for (const stage of stages) {
    const known = groups.get(keyOf(stage));
    if (known) known.push(stage);
    else groups.set(keyOf(stage), [stage]);
  }
  return groups;
}

function listPoints(points: readonly PointResult[]): PointList {
  const failed = points.filter(({ exitCode, message }) => exitCode !== 0 || message !== undefined);
  return { done: points.length, failed: failed.slice(0, POINTS_SHOWN), failedCount: failed.length };
}

function inOrder(run: Run, trials: readonly Trial[]): readonly Trial[] {
  const places = new Map(run.order.map((task, place) => [task, place]));
  const place = (trial: Trial) => places.get(trial.task) ?? run.order.length;
  const rank = (trial: Trial) => (trial.kind === 'experiment' ? 0 : 1);
  const named = inNaturalOrder(trials, ({ task }) => task);
  return named.toSorted((a, b) => rank(a) - rank(b) || place(a) - place(b));
}

function keyOf({ kind, task }: { readonly kind: string; readonly task: string }): string {
  return `${kind} ${task}`;
}

/** The current stage of a running task. */
export interface StageAtWork {
  /** Absent where it has printed nothing yet. */
  readonly stage?: StageResult['stage'];
  /** Tasks follow one another: it began when the stage before it had ended. */
  readonly startedAt: number;
}

/** The stage that has a log and no result. */
async function stageAtWork(
  trial: Trial,
  {
    home,
    stages,
    since,
  }: { readonly home: string; readonly stages: readonly StageResult[]; readonly since: number },
  disk: Disk,
): Promise<StageAtWork> {
  const { runId, kind, task } = trial;
  const ended = new Set<string>();
  let startedAt = since;
  for (const stage of stages) {
    if (stage.kind === kind && stage.task === task) ended.add(stage.stage);
    startedAt = Math.max(startedAt, stage.startedAt + stage.durationMs);
  }
  if ([runId, task].some((name) => whyInvalidName(name) !== undefined)) return { startedAt };
  const folder = dirName(runFiles(home, runId).log(kind, task, 'run'));
  const open = STAGE_ORDER.filter((stage) => !ended.has(stage));
  const names = new Set((await disk.list(folder)).map(({ name }) => name));
  const stage = open.find((one) => names.has(`${one}.log`));
  return { startedAt, ...(stage && { stage }) };
}
