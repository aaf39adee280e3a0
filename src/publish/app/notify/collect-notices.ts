import { readPublications } from '../../../dashboard/app/publications/publication-book.ts';
import { countTrials } from '../../../home/app/run-queries.ts';
import type { Home } from '../../../home/core/home.ts';
import type { Run, Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { plainly } from '../../../platform/core/text/numbers.ts';
import { nightBroken, nightFinished } from '../../core/notices/night-notice.ts';
import type { Notice } from '../../core/notices/notice.ts';
import { publicationFailed, publicationRecovered } from '../../core/notices/publication-notice.ts';
import { failedNotice, recoveredNotice, type Surroundings } from '../../core/notices/trial-notice.ts';
import { changeNotices } from './change-notices.ts';

export interface CollectEffects {
  readonly disk: Disk;
  readonly store: Store;
}

const NIGHTS_LOOKED_BACK = 10;

/** Everything that one night gives to tell, by what is written down of it: the same whenever it is asked. */
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
