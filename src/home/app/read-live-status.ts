import type { Store } from '../core/store.ts';
import { countDigest, type NightView } from './count-digest.ts';

/** Whether there is something new to see, for a page that looks every few seconds. */
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
