import type { Series } from '../../../formats/core/sample.ts';
import { countDigest } from '../../../home/app/run-queries.ts';
import { runFiles } from '../../../home/core/home-layout.ts';
import { SPARK_NIGHTS } from '../../../home/core/home-pages.ts';
import type { Run, Trial } from '../../../home/core/run.ts';
import type { Store, TrialDigest } from '../../../home/core/store.ts';
import { changesToReview } from '../../../judge/app/changes/list-changes.ts';
import { isDetail } from '../../../judge/app/series/series-values.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { baseName, joinPath } from '../../../platform/core/path.ts';
import { inNaturalOrder } from '../../../platform/core/text/text-order.ts';
import type { HomeExperiment, HomePlans, HomeRow, HomeTask, HomeView, NightLine } from './home-view.ts';

export interface HomeRequest {
  readonly home: string;
  readonly plans: HomePlans;
}

/** More are counted: nobody reads them one by one. */
const MOST_EXPERIMENTS = 10_000;
const MOST_SERIES = 100_000;
/** Values of an experiment on the first page. */
const VALUES_SHOWN = 3;
const CHANGES_READ = 1_000;
const LINES_SHOWN = 50;
const MESSAGE_LENGTH = 300;

/** Undefined store: nothing was indexed yet. */
export async function readHomeView(
  { home, plans }: HomeRequest,
  { store, disk }: { readonly store: Store | undefined; readonly disk: Disk },
): Promise<HomeView> {
  const isDefined = await hasDefinition(home, disk);
  const nothing = { ...EMPTY, project: baseName(home), home, isDefined, plans };
  if (!store) return nothing;
  const runs = await newestRuns(store);
  const digest = await store.trialDigest(runs.all.map(({ id }) => id));
  const nights = nightLines(runs.shown, digest);
  const last = nights.find(({ state }) => state !== 'running');
  const running = nights[0]?.state === 'running' ? nights[0] : undefined;
  const newest = await store.newestTasks(runs.all.map(({ id }) => id));
  const tasks = await tasksOf(runs, { ...digest, newest }, store);
  const { experiments, rows } = await withRows(tasks.experiments.slice(0, MOST_EXPERIMENTS), store);
  const changes = await changesToReview(store, CHANGES_READ);
  const absences = await store.absences();
  return {
    ...nothing,
    ...(runs.shown[0] && { project: runs.shown[0].project }),
    ...(running && { running: { ...running, ...(await lastSign(running.id, home, disk)) } }),
    ...(last && { last }),
    nights,
    runCount: await store.countRuns(),
    ...{ experiments, rows, leftOut: tasks.experiments.length - experiments.length },
    subsystems: tasks.subsystems,
    ...{ changes: changes.slice(0, LINES_SHOWN), changeCount: changes.length },
    ...{ absences: absences.slice(0, LINES_SHOWN), absenceCount: absences.length },
  };
}

function nightLines(runs: readonly Run[], digest: TrialDigest): readonly NightLine[] {
  const countsOf = countDigest(digest);
  const lines = runs.map((run) => {
    const experiments = countsOf(run.id, 'experiment');
    const { id, kind, label, state, origin, startedAt, endedAt } = run;
    const facts = { id, kind, label, state, origin, startedAt, ...(endedAt !== undefined && { endedAt }) };
    return { ...facts, experiments, subsystems: countsOf(id, 'subsystem'), missing: 0 };
  });
  // Compared with its neighbours: an experiment that was added last week is not missing a year ago.
  return lines.map((line, index) => {
    const near = [lines[index - 1], lines[index + 1]].flatMap((one) => (one ? [countedTasks(one)] : []));
    const isWhole = line.kind === 'night' && line.state !== 'running';
    const missing = isWhole && near.length === 2 ? Math.max(0, Math.min(...near) - countedTasks(line)) : 0;
    return { ...line, missing };
  });
}

function countedTasks({ experiments }: Pick<NightLine, 'experiments'>): number {
  return experiments.total + experiments.inactive;
}

/** Every task as it stood in the night that is shown, or when it was seen last. */
async function tasksOf(
  { shown, all, imported }: HomeRuns,
  digest: TrialDigest & { readonly newest: Awaited<ReturnType<Store['newestTasks']>> },
  store: Store,
): Promise<{ readonly experiments: readonly HomeExperiment[]; readonly subsystems: readonly HomeTask[] }> {
  // While a night runs the page goes on showing the last whole one.
  const whole = shown.find(({ state }) => state !== 'running') ?? shown[0];
  const counting = new Set(
    all.filter(({ id, state }) => state !== 'running' || id === whole?.id).map(({ id }) => id),
  );
  const wanted = digest.newest.filter(({ runId }) => counting.has(runId));
  const trials = new Map<string, Trial>();
  const inWhole = await store.trialsOf(whole ? [whole.id] : []);
  for (const trial of inWhole) trials.set(`${trial.kind} ${trial.task}`, trial);
  const others = new Set(
    wanted.filter((one) => !trials.has(`${one.kind} ${one.task}`)).map(({ runId }) => runId),
  );
  for (const trial of await store.trialsOf([...others])) {
    const key = `${trial.kind} ${trial.task}`;
    if (!trials.has(key)) trials.set(key, trial);
  }
  const places = new Map(
    shown
      .slice(0, SPARK_NIGHTS)
      .toReversed()
      .map(({ id }, place) => [id, place]),
  );
  const failures = failuresByTask(digest, places);
  const measured = [...trials.values()].filter(({ kind }) => kind === 'experiment');
  const experiments = inNaturalOrder(measured, ({ task }) => task).map((trial) => {
    const isImported = imported.has(trial.runId);
    const isSeen = isImported || trial.runId === whole?.id;
    return { ...task(trial, isSeen), isImported, failedAt: failures.get(trial.task) ?? [], moreValues: 0 };
  });
  return {
    experiments,
    subsystems: inWhole.filter(({ kind }) => kind === 'subsystem').map((one) => task(one, true)),
  };
}

function task({ task: name, title, state, message, ...trial }: Trial, isSeen: boolean): HomeTask {
  const { runId, kind, durationMs, failedStage } = trial;
  return {
    ...{ name, runId, kind, state: isSeen ? state : 'missing' },
    ...(title !== undefined && title !== name && { title }),
    ...(durationMs !== undefined && { durationMs }),
    ...(failedStage !== undefined && { failedStage }),
    ...(state === 'failed' && { message: message.slice(0, MESSAGE_LENGTH) }),
  };
}

function failuresByTask(
  { failed }: TrialDigest,
  places: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { kind, task: name, runId } of failed) {
    const place = places.get(runId);
    if (kind !== 'experiment' || place === undefined) continue;
    found.set(
      name,
      [...(found.get(name) ?? []), place].sort((a, b) => a - b),
    );
  }
  return found;
}

/** "size=5000" before "size=20000". */
function pathOrder({ path }: Series): string {
  return path.join('\0');
}

/** The first values of every experiment, read at once. */
async function withRows(
  experiments: readonly HomeExperiment[],
  store: Store,
): Promise<{ readonly experiments: readonly HomeExperiment[]; readonly rows: readonly HomeRow[] }> {
  const groups = new Map<string, Series[]>();
  for (const one of await store.series({ limit: MOST_SERIES })) {
    if (isDetail(one)) continue;
    const group = groups.get(one.experiment);
    if (group) group.push(one);
    else groups.set(one.experiment, [one]);
  }
  const rows: HomeRow[] = [];
  const counted = experiments.map((line, experiment) => {
    const series = inNaturalOrder(groups.get(line.name) ?? [], pathOrder);
    // A line that says "1 more value" takes as much room as the value.
    const shown = series.length === VALUES_SHOWN + 1 ? series : series.slice(0, VALUES_SHOWN);
    for (const { id, path, unit, better, betterFrom } of shown)
      rows.push({ experiment, id, path, unit, better, ...(betterFrom !== undefined && { betterFrom }) });
    return { ...line, moreValues: series.length - shown.length };
  });
  return { experiments: counted, rows };
}

/** Whether there is a definition that could be run. */
export async function hasDefinition(home: string, disk: Disk): Promise<boolean> {
  for (const file of ['nightmark.yml', 'config.json', 'config/config.json']) {
    if (await disk.stat(joinPath(home, file))) return true;
  }
  return false;
}

const EMPTY = {
  ...{ nights: [], runCount: 0, experiments: [], leftOut: 0, rows: [], subsystems: [] },
  ...{ changes: [], changeCount: 0, absences: [], absenceCount: 0 },
};

const NIGHTS = 60;

export interface HomeRuns {
  /** They make the strip and the headline: nights, or the imports of a home that has none. Newest first. */
  readonly shown: readonly Run[];
  /** Nights and imports, newest first. */
  readonly all: readonly Run[];
  /** Ids of imports. */
  readonly imported: ReadonlySet<string>;
}

export async function newestRuns(store: Store): Promise<HomeRuns> {
  const imports = await store.latestRuns({ limit: NIGHTS, kind: 'import' });
  const nights = await store.latestRuns({ limit: NIGHTS, kind: 'night' });
  const all = [...nights, ...imports].sort((a, b) => b.startedAt - a.startedAt);
  const imported = new Set(imports.map(({ id }) => id));
  return { shown: nights.length > 0 ? nights : imports, all, imported };
}

/** When a running night last wrote to its journal. */
export async function lastSign(
  runId: string,
  home: string,
  disk: Disk,
): Promise<{ readonly lastSignAt?: number }> {
  const journal = await disk.stat(runFiles(home, runId).journal);
  return journal ? { lastSignAt: journal.modifiedAt } : {};
}
