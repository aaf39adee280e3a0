import type { FastifyInstance } from 'fastify';
import { EventStreams } from '../../platform/server/event-streams.ts';
import { askedOf, refused, single } from './asked.ts';
import type { JobEffects } from './effects.ts';
import { type JobChange, JobWatch } from './watch-jobs.ts';

const MOST_LISTENERS = 200;

interface Listener {
  readonly project?: string;
}

const DOC = {
  summary: 'Changes of jobs as server-sent events',
  query: { project: 'only jobs of this project' },
  answer: { media: ['text/event-stream'] },
};

/** Changes of jobs as server-sent events, looked for only while somebody listens. */
export function addJobEvents(app: FastifyInstance, { jobs, report }: JobEffects): void {
  const events = new EventStreams<Listener, readonly JobChange[]>({
    ...{ most: MOST_LISTENERS, mostWaitingBytes: 1024 * 1024 },
    begin: () => {
      const watch = new JobWatch(jobs.queue);
      return () => watch.look();
    },
    text: textOf,
    failed: (reason) => report(`Changes of jobs cannot be told: ${reason}`),
  });
  app.get('/api/jobs/events', { config: { doc: DOC } }, async (request, reply) => {
    const project = single(askedOf(request.query, ['project']), 'project');
    if (!events.isFull) return events.send(reply, project === undefined ? {} : { project });
    throw refused(
      `${MOST_LISTENERS} listen already.`,
      'Close some pages, or look at /api/jobs now and then.',
    );
  });
  app.addHook('preClose', async () => events.end());
}

function textOf(changes: readonly JobChange[], { project }: Listener): string {
  const isTheirs = (one: JobChange) =>
    project === undefined || one.project === undefined || one.project === project;
  return changes
    .filter(isTheirs)
    .map((change) => `event: job\ndata: ${JSON.stringify(change)}\n\n`)
    .join('');
}
