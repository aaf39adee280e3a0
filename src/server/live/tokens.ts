import { readLiveStatus } from '../../home/app/read-live-status.ts';
import { homeLayout, runFiles } from '../../home/core/layout.ts';
import { JobWatch } from '../../jobs/server/job-events.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { ServerOptions } from '../../platform/server/options.ts';
import type { ServerEffects } from '../effects.ts';

/** For each topic of the page a word that changes whenever there is something new to see. */
export type LiveTokens = Readonly<Record<Topic, string>>;
type Topic = 'runs' | 'changes' | 'jobs' | 'points';

/** Looks at cheap facts only: it is called every second while somebody has a page open. */
export function tokenReader({ home }: ServerOptions, effects: ServerEffects): () => Promise<LiveTokens> {
  const { disk, index, points } = effects;
  const stamp = async (path: string) => {
    const stat = await disk.stat(path);
    return stat ? `${stat.modifiedAt} ${stat.size}` : '';
  };
  const readers: Readonly<Record<Topic, () => Promise<string>>> = {
    runs: async () => {
      const { token, newest } = await readLiveStatus(await index.current());
      const isRunning = newest?.run.state === 'running';
      return isRunning ? `${token} ${await stamp(runFiles(home, newest.run.id).journal)}` : token;
    },
    changes: () => stamp(homeLayout(home).changes),
    jobs: jobReader(effects),
    points: async () => (points ? JSON.stringify(points.counters.report(await points.packets())) : ''),
  };
  const problems = new Map<string, string>();
  return async () => {
    const tokens = { runs: '', changes: '', jobs: '', points: '' };
    for (const topic of Object.keys(readers) as Topic[]) {
      tokens[topic] = await readers[topic]().catch((error: unknown) => {
        // Jobs that are away keep nobody from news of nights; told once, as it is looked for every second.
        const problem = messageOf(error);
        if (problems.get(topic) !== problem) effects.report(`No news of ${topic}: ${problem}`);
        problems.set(topic, problem);
        return '';
      });
    }
    return tokens;
  };
}

/** By the queue's own word where it has one; that a job falls silent is written nowhere, and counted. */
function jobReader({ jobs }: Pick<ServerEffects, 'jobs'>): () => Promise<string> {
  if (jobs === undefined) return async () => '';
  const { queue, version } = jobs;
  if (version) return async () => `${await version()} ${await queue.count({ status: 'UNRESPONSIVE' })}`;
  const watch = new JobWatch(queue);
  let seen = 0;
  return async () => {
    if ((await watch.look()).length > 0) seen++;
    return String(seen);
  };
}
