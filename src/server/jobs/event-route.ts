import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../core/errors.ts';
import { askedOf, refused, single } from './asked.ts';
import type { JobEffects } from './effects.ts';
import { type JobChange, JobWatch } from './watch-jobs.ts';

const LOOK_MS = 1_000;
/** A comment now and then shows both sides that the other is there. */
const SIGN_EVERY = 15;
const MOST_LISTENERS = 200;
/** Whoever reads slower than this is let go, and comes again. */
const MOST_WAITING_BYTES = 1024 * 1024;

interface Listener {
  readonly stream: Readable;
  readonly project?: string;
}

const DOC = {
  summary: 'Changes of jobs as server-sent events',
  query: { project: 'only jobs of this project' },
  answer: { media: ['text/event-stream'] },
};

/** Changes of jobs as server-sent events, looked for only while somebody listens. */
export function addJobEvents(app: FastifyInstance, effects: JobEffects): void {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer ??= repeatedly(effects, listeners);
  };
  const forget = (listener: Listener) => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  app.get('/api/jobs/events', { config: { doc: DOC } }, async (request, reply) => {
    const project = single(askedOf(request.query, ['project']), 'project');
    if (listeners.size >= MOST_LISTENERS)
      throw refused(
        `${MOST_LISTENERS} listen already.`,
        'Close some pages, or look at /api/jobs now and then.',
      );
    const stream = new Readable({ read() {} });
    const listener = { stream, ...(project !== undefined && { project }) };
    listeners.add(listener);
    stream.on('close', () => forget(listener));
    // Before the first change, so that a client knows that it listens.
    stream.push('retry: 3000\n\n');
    begin();
    return reply.type('text/event-stream').header('cache-control', 'no-store').send(stream);
  });
  app.addHook('preClose', async () => {
    for (const { stream } of listeners) stream.push(null);
    clearInterval(timer);
  });
}

function repeatedly({ jobs, report }: JobEffects, listeners: ReadonlySet<Listener>): NodeJS.Timeout {
  const watch = new JobWatch(jobs.queue);
  let [isLooking, looks] = [false, 0];
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const changes = await watch.look();
      for (const listener of listeners) tell(listener, changes, looks % SIGN_EVERY === 0);
    } catch (error) {
      if (looks % SIGN_EVERY === 0) report(`Changes of jobs cannot be told: ${messageOf(error)}`);
    }
    looks++;
    isLooking = false;
  };
  void look();
  return setInterval(() => void look(), LOOK_MS);
}

function tell({ stream, project }: Listener, changes: readonly JobChange[], isSign: boolean): void {
  if (stream.readableLength > MOST_WAITING_BYTES) {
    stream.destroy();
    return;
  }
  if (isSign) stream.push(':\n\n');
  for (const change of changes) {
    const isOfOthers = project !== undefined && change.project !== undefined && change.project !== project;
    if (!isOfOthers) stream.push(`event: job\ndata: ${JSON.stringify(change)}\n\n`);
  }
}
