import type { TrialCounts } from '../../platform/core/text/describe-night.ts';
import type { Run, Trial } from '../core/run.ts';
import type { Store, TrialDigest } from '../core/store.ts';

/** The newest runs that bring values of experiments: nights and imports, newest first. */
export async function latestValueRuns(store: Store, limit: number): Promise<readonly Run[]> {
  const nights = await store.latestRuns({ limit, kind: 'night' });
  const imports = await store.latestRuns({ limit, kind: 'import' });
  if (imports.length === 0) return nights;
  return [...nights, ...imports].sort(newestFirst).slice(0, limit);
}

function newestFirst(a: Run, b: Run): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);
}

export function countTrials(trials: readonly Trial[], kind: Trial['kind']): TrialCounts {
  const counts = { succeeded: 0, failed: 0, skipped: 0, unfinished: 0, inactive: 0 };
  for (const trial of trials) {
    if (trial.kind !== kind) continue;
    const isUnfinished = trial.state === 'running' || trial.state === 'waiting';
    counts[isUnfinished ? 'unfinished' : (trial.state as 'succeeded')]++;
  }
  const { succeeded, failed, skipped, unfinished } = counts;
  return { total: succeeded + failed + skipped + unfinished, ...counts };
}

/** Counts by run and kind: as `countTrials`, from a digest. */
export function countDigest(
  digest: Pick<TrialDigest, 'counts'>,
): (runId: string, kind: Trial['kind']) => TrialCounts {
  const found = new Map<string, Record<keyof TrialCounts, number>>();
  for (const { runId, kind, state, count } of digest.counts) {
    const key = `${kind} ${runId}`;
    const counts = found.get(key) ?? { ...NONE };
    const isUnfinished = state === 'running' || state === 'waiting';
    counts[isUnfinished ? 'unfinished' : state] += count;
    if (state !== 'inactive') counts.total += count;
    found.set(key, counts);
  }
  return (runId, kind) => found.get(`${kind} ${runId}`) ?? NONE;
}

const NONE = { total: 0, succeeded: 0, failed: 0, skipped: 0, unfinished: 0, inactive: 0 };

export interface NightView {
  readonly run: Run;
  readonly experiments: TrialCounts;
  readonly subsystems: TrialCounts;
}

/** Whether there is something new to see, for a page that polls every few seconds. */
export interface LiveStatus {
  /** Changes with every new run, and with every task of a run that begins or ends. */
  readonly token: string;
  readonly newest?: NightView;
}

export async function readLiveStatus(store: Store | undefined): Promise<LiveStatus> {
  const run = (await store?.latestRuns({ limit: 1 }))?.[0];
  if (!store || !run) return { token: 'empty' };
  const countsOf = countDigest(await store.trialDigest([run.id]));
  const newest = {
    run,
    experiments: countsOf(run.id, 'experiment'),
    subsystems: countsOf(run.id, 'subsystem'),
  };
  const counts = [newest.experiments, newest.subsystems].map((kind) => Object.values(kind).join('.'));
  return { token: [await store.countRuns(), run.id, run.state, ...counts].join(' '), newest };
}
