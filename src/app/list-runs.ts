import type { Store } from '../core/ports/store.ts';
import { groupByRun, type NightView, nightView } from './read-overview.ts';

/** One page of runs, newest first. */
export interface RunList {
  readonly runs: readonly NightView[];
  readonly count: number;
  /** Start of the next, older page. */
  readonly nextBefore?: number;
}

export interface RunListRequest {
  readonly limit: number;
  /** Only runs that began before this moment. */
  readonly before?: number;
}

export async function listRuns({ limit, before }: RunListRequest, store: Store): Promise<RunList> {
  const runs = await store.latestRuns({ limit, ...(before !== undefined && { before }) });
  const trials = groupByRun(await store.trialsOf(runs.map((run) => run.id)));
  const oldest = runs.at(-1);
  return {
    runs: runs.map((run) => nightView(run, trials.get(run.id) ?? [])),
    count: await store.countRuns(),
    ...(runs.length === limit && oldest && { nextBefore: oldest.startedAt }),
  };
}
