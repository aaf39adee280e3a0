import { readLiveStatus } from '../../app/read-live-status.ts';
import { homeLayout, runFiles } from '../../core/model/layout.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { JobWatch } from '../jobs/watch-jobs.ts';

/** For each topic of the page a word that changes whenever there is something new to see. */
export interface LiveTokens {
  readonly runs: string;
  readonly changes: string;
  readonly jobs: string;
  readonly points: string;
}

/** Looks at cheap facts only: it is called every second while somebody has a page open. */
export function tokenReader({ home }: ServerOptions, effects: ServerEffects): () => Promise<LiveTokens> {
  const { disk, index, jobs, points } = effects;
  const layout = homeLayout(home);
  const watch = jobs && new JobWatch(jobs.queue);
  let seen = 0;
  const stamp = async (path: string) => {
    const stat = await disk.stat(path);
    return stat ? `${stat.modifiedAt} ${stat.size}` : '';
  };
  return async () => {
    const status = await readLiveStatus(await index.current());
    const { run } = status.newest ?? {};
    const journal = run?.state === 'running' ? await stamp(runFiles(home, run.id).journal) : '';
    if (watch && (await watch.look()).length > 0) seen++;
    const counters = points && JSON.stringify(points.counters.report(await points.packets()));
    return {
      runs: `${status.token} ${journal}`,
      changes: await stamp(layout.changes),
      jobs: String(seen),
      points: counters ?? '',
    };
  };
}
