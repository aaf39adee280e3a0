import type { FastifyInstance } from 'fastify';
import { EventStreams } from '../../platform/server/event-streams.ts';
import type { Job } from '../core/job.ts';
import { jobView } from '../core/job-documents.ts';
import type { JobQueue } from '../core/job-queue.ts';
import { badRequest, parseParameters, singleParameter } from './job-requests.ts';
import type { JobEffects } from './job-service.ts';

const MOST_LISTENERS = 200;

interface Listener {
  readonly project?: string;
}

const DOC = {
  summary: 'Changes of jobs as server-sent events',
  query: { project: 'only jobs of this project' },
  answer: { media: ['text/event-stream'] },
};

/** Changes of jobs as server-sent events; the queue is polled only while somebody listens. */
export function addJobEvents(app: FastifyInstance, { jobs, report }: JobEffects): void {
  const events = new EventStreams<Listener, readonly JobChange[]>({
    ...{ most: MOST_LISTENERS, mostWaitingBytes: 1024 * 1024 },
    begin: () => {
      const watch = new JobWatch(jobs.queue);
      return () => watch.look();
    },
    text: textOf,
    failed: (reason) => report(`Changes of jobs cannot be sent: ${reason}`),
  });
  app.get('/api/jobs/events', { config: { doc: DOC } }, async (request, reply) => {
    const project = singleParameter(parseParameters(request.query, ['project']), 'project');
    if (!events.isFull) return events.send(reply, project === undefined ? {} : { project });
    throw badRequest(`${MOST_LISTENERS} listen already.`, 'Close some pages, or poll /api/jobs.');
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

export interface JobChange {
  readonly id: string;
  readonly status: string;
  readonly project?: string;
  readonly experiment?: string;
  readonly name?: string;
  readonly attempt?: number;
  readonly progress?: number;
  readonly annotations?: Job['annotations'];
}

/** Watched: the newest, and all that wait or run. */
const NEWEST = 100;
const MOST_OPEN = 1_000;

/** Finds changes by comparing the queue with its state at the previous call. */
export class JobWatch {
  readonly #queue: JobQueue;
  #known: Map<string, string> | undefined;

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  /** Changes since the last call; none at the first. */
  async look(): Promise<readonly JobChange[]> {
    const listed = new Map((await this.#jobs()).map((job) => [job.id, this.#changeOf(job)]));
    const before = this.#known;
    // One that ended long after it was created is no longer listed; one that was deleted neither.
    const others: JobChange[] = [];
    for (const id of before?.keys() ?? []) {
      if (listed.has(id)) continue;
      const job = await this.#queue.job(id);
      others.push(job ? this.#changeOf(job) : { id, status: 'DELETED' });
    }
    this.#known = new Map([...listed].map(([id, change]) => [id, JSON.stringify(change)]));
    if (before === undefined) return [];
    return [...listed.values(), ...others].filter(
      (change) => before.get(change.id) !== JSON.stringify(change),
    );
  }

  async #jobs(): Promise<readonly Job[]> {
    const newest = await this.#queue.list({ limit: NEWEST });
    const open = await this.#queue.list({ limit: MOST_OPEN, status: 'QUEUE' });
    const silent = await this.#queue.list({ limit: MOST_OPEN, status: 'UNRESPONSIVE' });
    return [...newest, ...open, ...silent];
  }

  #changeOf(job: Job): JobChange {
    const view = jobView(job, this.#queue.now());
    const { id, status, project, experiment, name, attempt, progress, annotations } = view;
    return {
      ...{ id, status, project, experiment, name, attempt, annotations },
      ...(progress !== undefined && { progress }),
    };
  }
}
