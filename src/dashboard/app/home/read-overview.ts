import { countTrials, type NightView } from '../../../home/app/run-queries.ts';
import type { Absence, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Run, Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { changesToReview } from '../../../judge/app/changes/list-changes.ts';
import { isDetail, readSeries, type SeriesView } from '../../../judge/app/series/series-values.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { baseName } from '../../../platform/core/path.ts';
import { inNaturalOrder } from '../../../platform/core/text/text-order.ts';
import { hasDefinition, lastSign, newestRuns } from './read-home.ts';

/** All experiments of a home with their newest values. */
export interface Overview {
  readonly project: string;
  readonly home: string;
  /** A night that has begun and not ended, with its last sign of life. */
  readonly running?: NightView & { readonly lastSignAt?: number };
  /** The newest night that has ended, whatever its state. */
  readonly last?: NightView;
  readonly experiments: readonly ExperimentLine[];
  /** Experiments beyond the limit, counted. */
  readonly leftOut: number;
  readonly subsystems: readonly Trial[];
  /** Open changes that are not improvements, newest first. */
  readonly changes: readonly FollowedChange[];
  /** Series without new values. */
  readonly absences: readonly Absence[];
  /** Nights, newest first; imports where there is no night. */
  readonly nights: readonly NightView[];
  readonly runCount: number;
  /** Whether there is a definition that could be run: decides what an empty page advises. */
  readonly isDefined: boolean;
}

export interface ExperimentLine {
  readonly name: string;
  readonly title?: string;
  /** Of the night that is shown; `missing`: it was not part of it. */
  readonly state: Trial['state'] | 'missing';
  /** The newest trial there is. */
  readonly trial: Trial;
  /** Its newest values were imported: nights do not measure it. */
  readonly isImported: boolean;
  /** Ids of the nights shown in which it failed. */
  readonly failedRuns: readonly string[];
  readonly values: readonly SeriesView[];
  /** More values than are shown; a lower bound for experiments with very many. */
  readonly moreValues: number;
}

export interface OverviewRequest {
  readonly home: string;
  readonly experimentLimit: number;
}

const CHANGES_READ = 1_000;
/** Nights in a sparkline. */
const HISTORY = 30;
const VALUES_SHOWN = 3;
/** Read to choose those that are shown. */
const SERIES_READ = 100;

/** Undefined store: nothing was indexed yet. */
export async function readOverview(
  { home, experimentLimit }: OverviewRequest,
  { store, disk }: { readonly store: Store | undefined; readonly disk: Disk },
): Promise<Overview> {
  const isDefined = await hasDefinition(home, disk);
  if (!store) return emptyOverview(home, isDefined);
  const { shown: runs, all, imported } = await newestRuns(store);
  const trials = groupByRun(await store.trialsOf(all.map((run) => run.id)));
  const nights = runs.map((run) => nightView(run, trials.get(run.id) ?? []));
  const running = nights[0]?.run.state === 'running' ? nights[0] : undefined;
  const last = nights.find(({ run }) => run.state !== 'running');
  const shown = last ?? running;
  // While a night runs the page goes on showing the last whole one.
  const counting = last ? all.filter((run) => run.state !== 'running') : all;
  const newest = newestTrials(counting, trials);
  const failures = failuresByExperiment(trials);

  const experiments: ExperimentLine[] = [];
  for (const trial of newest.slice(0, experimentLimit)) {
    const failedRuns = failures.get(trial.task) ?? [];
    // An import is whole in itself: its experiment is not missing in the night.
    const isImported = imported.has(trial.runId);
    const shownRun = isImported ? trial.runId : shown?.run.id;
    experiments.push({ ...(await experimentLine(trial, shownRun, store)), failedRuns, isImported });
  }
  return {
    ...emptyOverview(home, isDefined),
    ...(runs[0] && { project: runs[0].project }),
    ...(running && { running: { ...running, ...(await lastSign(running.run.id, home, disk)) } }),
    ...(last && { last }),
    experiments,
    leftOut: newest.length - experiments.length,
    subsystems: (trials.get(shown?.run.id ?? '') ?? []).filter(({ kind }) => kind === 'subsystem'),
    changes: await changesToReview(store, CHANGES_READ),
    absences: await store.absences(),
    nights,
    runCount: await store.countRuns(),
  };
}

export function nightView(run: Run, trials: readonly Trial[]): NightView {
  return {
    run,
    experiments: countTrials(trials, 'experiment'),
    subsystems: countTrials(trials, 'subsystem'),
  };
}

export function groupByRun(trials: readonly Trial[]): ReadonlyMap<string, readonly Trial[]> {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials) {
    const group = groups.get(trial.runId);
    if (group) group.push(trial);
    else groups.set(trial.runId, [trial]);
  }
  return groups;
}

function emptyOverview(home: string, isDefined: boolean): Overview {
  const nothing = {
    experiments: [],
    leftOut: 0,
    subsystems: [],
    changes: [],
    absences: [],
    nights: [],
    runCount: 0,
  };
  return { project: baseName(home), home, isDefined, ...nothing };
}

/** The newest trial of every experiment, by name. */
function newestTrials(runs: readonly Run[], trials: ReadonlyMap<string, readonly Trial[]>): readonly Trial[] {
  const newest = new Map<string, Trial>();
  for (const run of runs) {
    for (const trial of trials.get(run.id) ?? []) {
      if (trial.kind === 'experiment' && !newest.has(trial.task)) newest.set(trial.task, trial);
    }
  }
  return inNaturalOrder([...newest.values()], ({ task }) => task);
}

function failuresByExperiment(
  trials: ReadonlyMap<string, readonly Trial[]>,
): ReadonlyMap<string, readonly string[]> {
  const failures = new Map<string, string[]>();
  for (const { kind, state, task, runId } of [...trials.values()].flat()) {
    if (kind !== 'experiment' || state !== 'failed') continue;
    const runs = failures.get(task);
    if (runs) runs.push(runId);
    else failures.set(task, [runId]);
  }
  return failures;
}

async function experimentLine(
  trial: Trial,
  shownRun: string | undefined,
  store: Store,
): Promise<Omit<ExperimentLine, 'failedRuns' | 'isImported'>> {
  const series = await store.series({ experiment: trial.task, limit: SERIES_READ });
  const proper = series.filter((one) => !isDetail(one));
  const values: SeriesView[] = [];
  // A line that says "1 more value" takes as much room as the value.
  const shown = proper.length === VALUES_SHOWN + 1 ? proper : proper.slice(0, VALUES_SHOWN);
  for (const one of shown) values.push(await readSeries(store, one, HISTORY));
  return {
    name: trial.task,
    ...(trial.title !== undefined && { title: trial.title }),
    state: trial.runId === shownRun ? trial.state : 'missing',
    trial,
    values,
    moreValues: proper.length - values.length,
  };
}
