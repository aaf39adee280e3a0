import { readPublications } from '../../../dashboard/app/publications.ts';
import { readLedger } from '../../../home/app/ledger-file.ts';
import { countTrials } from '../../../home/app/run-queries.ts';
import type { ChangeEvent, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Home } from '../../../home/core/home.ts';
import type { Run, Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { startOfRecent } from '../../../judge/app/changes/judge-home.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { plainly } from '../../../platform/core/text/numbers.ts';
import { changeNotice } from '../../core/notices/change-notice.ts';
import type { Notice } from '../../core/notices/notice.ts';
import {
  failedNotice,
  missingNotice,
  nightBroken,
  nightFinished,
  publicationFailed,
  publicationRecovered,
  recoveredNotice,
  returnedNotice,
  type Surroundings,
} from '../../core/notices/run-notices.ts';

export interface CollectEffects {
  readonly disk: Disk;
  readonly store: Store;
}

const NIGHTS_LOOKED_BACK = 10;

/** All notices of one night, from its records: the same at any time. */
export async function collectNotices(
  home: Home,
  run: Run,
  { disk, store }: CollectEffects,
): Promise<readonly Notice[]> {
  const around = surroundingsOf(home, run);
  const trials = await store.trialsOf([run.id]);
  const before = { kind: 'night', before: run.startedAt, limit: NIGHTS_LOOKED_BACK } as const;
  const earlier = await store.latestRuns(before);
  return [
    ...nightNotices(run, trials, around),
    ...(earlier[0]?.state === 'interrupted' ? [interruptedNotice(home, earlier[0])] : []),
    ...(await trialNotices(trials, { home, earlier, around }, store)),
    ...(await changeNotices({ home, run, previous: earlier[0], around }, { disk, store })),
    ...(await publicationNotices(home, around, disk)),
  ];
}

export function surroundingsOf({ dir, project, page }: Home, run: Run): Surroundings {
  return {
    home: dir,
    project,
    ...(page !== undefined && { page }),
    runId: run.id,
    at: run.endedAt ?? run.startedAt,
  };
}

function nightNotices(run: Run, trials: readonly Trial[], around: Surroundings): readonly Notice[] {
  if (run.state !== 'finished') return [];
  const counts = [countTrials(trials, 'experiment'), countTrials(trials, 'subsystem')] as const;
  const summary = plainly(describeNight(...counts, (run.endedAt ?? run.startedAt) - run.startedAt));
  const experiments = trials.filter(({ kind }) => kind === 'experiment');
  const isBroken =
    experiments.some(({ state }) => state === 'failed') &&
    !experiments.some(({ state }) => state === 'succeeded');
  return [
    isBroken
      ? nightBroken(run.label, `No experiment succeeded: ${summary}.`, around)
      : nightFinished({ label: run.label, summary, warnings: run.warnings }, around),
  ];
}

function interruptedNotice(home: Home, run: Run): Notice {
  const why = 'It was interrupted: the machine or somebody ended it.';
  return { ...nightBroken(run.label, why, surroundingsOf(home, run)), severity: 'warning' };
}

async function publicationNotices(home: Home, around: Surroundings, disk: Disk): Promise<readonly Notice[]> {
  if (home.publish === undefined) return [];
  return (await readPublications(home.dir, disk)).flatMap(({ target, failure, failingSince }) => {
    if (failure !== undefined) return [publicationFailed(target, failure, around)];
    return failingSince === undefined ? [] : [publicationRecovered(target, around)];
  });
}

interface TrialContext {
  readonly home: Home;
  readonly earlier: readonly Run[];
  readonly around: Surroundings;
}

async function trialNotices(
  trials: readonly Trial[],
  { home, earlier, around }: TrialContext,
  store: Store,
): Promise<readonly Notice[]> {
  const failedBefore = await lastFailed(earlier, store);
  const tasks = new Map(home.tasks.map((task) => [`${task.kind}/${task.name}`, task]));
  return trials.flatMap((trial) => {
    const key = `${trial.kind}/${trial.task}`;
    if (trial.state === 'failed') return [failedNotice(trial, tasks.get(key), around)];
    return trial.state === 'succeeded' && failedBefore.has(key) ? [recoveredNotice(trial, around)] : [];
  });
}

/** Tasks whose newest earlier trial failed. */
async function lastFailed(earlier: readonly Run[], store: Store): Promise<ReadonlySet<string>> {
  const states = new Map<string, Trial['state']>();
  for (const { id } of earlier) {
    for (const { kind, task, state } of await store.trialsOf([id])) {
      const key = `${kind}/${task}`;
      if ((state === 'failed' || state === 'succeeded') && !states.has(key)) states.set(key, state);
    }
  }
  return new Set([...states].flatMap(([key, state]) => (state === 'failed' ? [key] : [])));
}

export interface ChangeScope {
  readonly home: Home;
  readonly run: Run;
  readonly previous: Run | undefined;
  readonly around: Surroundings;
}

/** Notices of the changes and absences recorded between this night and the next one. */
async function changeNotices(
  { home, run, previous, around }: ChangeScope,
  { disk, store }: CollectEffects,
): Promise<readonly Notice[]> {
  const until = await startOfNext(run, store);
  const events: ChangeEvent[] = [];
  const from = previous?.startedAt ?? run.startedAt;
  const { ledger } = await readLedger(home.dir, disk, (event) => {
    if (event.at >= from && event.at < until) events.push(event);
  });
  const since = await startOfRecent(store);
  const mentions = new Map(home.tasks.map((task) => [task.name, task.notify]));
  const notices: Notice[] = [];
  for (const [id, isNew] of changedIds(events, run.startedAt)) {
    const change = ledger.changes.get(id);
    if (!change) continue;
    const notice = changeNotice(change, {
      ...around,
      mentions: mentions.get(experimentOf(change)) ?? [],
    });
    // An old change is sent only to those who had a notice of it; `nightmark changes` lists it.
    notices.push(isNew && change.at >= since ? notice : { ...notice, isAfterthought: true });
  }
  return [...notices, ...absenceNotices(events, { run, around })];
}

/** Ids of changes, and whether the night itself found something about them (not a review by people). */
function changedIds(events: readonly ChangeEvent[], startedAt: number): ReadonlyMap<string, boolean> {
  const ids = new Map<string, boolean>();
  for (const event of events) {
    const isNew = event.at >= startedAt && !['triaged', 'explained', 'commits'].includes(event.type);
    const id = 'change' in event ? event.change.id : 'id' in event ? event.id : undefined;
    if (id !== undefined && event.type !== 'moved') ids.set(id, isNew || ids.get(id) === true);
  }
  return ids;
}

function absenceNotices(
  events: readonly ChangeEvent[],
  { run, around }: Pick<ChangeScope, 'run' | 'around'>,
): readonly Notice[] {
  return events.flatMap((event) => {
    if (event.at < run.startedAt) return [];
    if (event.type === 'missing') return [missingNotice(event, around)];
    return event.type === 'returned' && event.reason === undefined
      ? [returnedNotice(event.series, around)]
      : [];
  });
}

async function startOfNext(run: Run, store: Store): Promise<number> {
  let next = Number.POSITIVE_INFINITY;
  for (let before: number | undefined; ; ) {
    const page = await store.latestRuns({
      kind: 'night',
      limit: 50,
      ...(before !== undefined && { before }),
    });
    for (const { startedAt } of page) {
      if (startedAt <= run.startedAt) return next;
      next = startedAt;
    }
    if (page.length === 0) return next;
    before = next;
  }
}

function experimentOf({ series }: FollowedChange): string {
  return series.kind === 'value' ? series.experiment : '';
}
