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
  const watch = jobs && jobs.queue.id !== 'sqlite' ? new JobWatch(jobs.queue) : undefined;
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
    // A queue in a file tells by its file: nothing is read.
    const queued = watch ? String(seen) : `${await stamp(layout.jobs)} ${await stamp(`${layout.jobs}-wal`)}`;
    const counters = points && JSON.stringify(points.counters.report(await points.packets()));
    return {
      runs: `${status.token} ${journal}`,
      changes: await stamp(layout.changes),
      jobs: queued,
      points: counters ?? '',
    };
  };
}
