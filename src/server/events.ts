import type { FastifyInstance } from 'fastify';
import { readLiveStatus } from '../home/app/run-queries.ts';
import { homeLayout, runFiles } from '../home/core/home-layout.ts';
import { JobWatch } from '../jobs/server/job-events.ts';
import { messageOf } from '../platform/core/errors.ts';
import { EventStreams } from '../platform/server/event-streams.ts';
import { sendProblem } from '../platform/server/send.ts';
import type { ServerOptions } from '../platform/server/server-options.ts';
import type { ServerEffects } from './server-effects.ts';

const MOST_LISTENERS = 500;

const DOC = {
  summary: 'That something is new, by topic, as server-sent events, at most once a second',
  answer: { media: ['text/event-stream'] },
};

/**
 * GET /api/events: that something is new, by topic, at most once a second however much happens. Pages then read what
 * they show. Returns the number of listeners.
 */
export function addEvents(
  app: FastifyInstance,
  options: ServerOptions,
  effects: ServerEffects,
): { listeners(): number } {
  const events = new EventStreams({
    ...{ most: MOST_LISTENERS, mostWaitingBytes: 64 * 1024 },
    begin: () => {
      const read = versionReader(options, effects);
      return async () => `event: tokens\ndata: ${JSON.stringify(await read())}\n\n`;
    },
    text: (tokens, listener: { sent: string }) => {
      if (listener.sent === tokens) return '';
      listener.sent = tokens;
      return tokens;
    },
    failed: (reason) => effects.report(`Events cannot be sent: ${reason}`),
  });
  app.get('/api/events', { config: { doc: DOC } }, async (request, reply) => {
    if (!events.isFull) return events.send(reply, { sent: '' });
    const explanation = `${MOST_LISTENERS} pages listen already. Close some.`;
    return sendProblem(request, reply, 503, { heading: 'Too many listeners', explanation });
  });
  app.addHook('preClose', async () => events.end());
  return { listeners: () => events.count };
}

/** For each topic of the page a text that changes whenever there is something new. */
export type TopicVersions = Readonly<Record<Topic, string>>;
type Topic = 'runs' | 'changes' | 'jobs' | 'points';

/** Reads cheap facts only: it is called every second while a page is open. */
function versionReader({ home }: ServerOptions, effects: ServerEffects): () => Promise<TopicVersions> {
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
    jobs: jobVersion(effects),
    points: async () => (points ? JSON.stringify(points.counters.report(await points.packets())) : ''),
  };
  const problems = new Map<string, string>();
  return async () => {
    const tokens = { runs: '', changes: '', jobs: '', points: '' };
    for (const topic of Object.keys(readers) as Topic[]) {
      tokens[topic] = await readers[topic]().catch((error: unknown) => {
        // An unavailable queue must not stop the news of nights; reported once, as it is read every second.
        const problem = messageOf(error);
        if (problems.get(topic) !== problem) effects.report(`No news of ${topic}: ${problem}`);
        problems.set(topic, problem);
        return '';
      });
    }
    return tokens;
  };
}

/** The version of the queue where it has one. That a job became unresponsive is stored nowhere, so it is counted. */
function jobVersion({ jobs }: Pick<ServerEffects, 'jobs'>): () => Promise<string> {
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
