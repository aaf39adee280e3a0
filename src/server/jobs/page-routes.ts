import type { FastifyInstance } from 'fastify';
import { baseName } from '../../core/path.ts';
import type { ServerOptions } from '../effects.ts';
import { jobPage } from '../pages/job-page.ts';
import { type AskedList, jobsPage, noQueuePage } from '../pages/jobs-page.ts';
import { sendPage } from '../send.ts';
import { askedJobs } from './asked.ts';
import type { JobEffects } from './effects.ts';
import { findJob } from './find-job.ts';
import { jobView } from './job-view.ts';
import { listFiles } from './output-files.ts';
import { jobToken, listJobs, tokenOf } from './read-routes.ts';

const JOBS_PER_PAGE = { usual: 100, most: 1_000 } as const;
const LINES_SHOWN = 300;

/** The list of jobs, and one page for each. */
export function addJobPages(app: FastifyInstance, { home }: ServerOptions, effects: JobEffects): void {
  const { queue, results } = effects.jobs;
  const project = baseName(home);

  app.get('/jobs', async (request, reply) => {
    const list = await listJobs(askedJobs(request.query, JOBS_PER_PAGE), effects);
    const parameters = new URLSearchParams(request.url.split('?')[1] ?? '');
    const live = { liveToken: tokenOf(list), liveAddress: `/api/jobs/token?${parameters}` };
    const main = jobsPage(list, askedList(parameters), queue.now());
    return sendPage(reply, {
      title: `Jobs · ${project}`,
      project,
      json: `/api/jobs?${parameters}`,
      ...live,
      main,
    });
  });

  app.get<{ Params: { id: string } }>('/jobs/:id', async ({ params }, reply) => {
    const job = await findJob(params.id, queue);
    const logs = await queue.logs(job.id, { tail: LINES_SHOWN, limit: LINES_SHOWN });
    const files = await listFiles(job, results, effects.disk);
    const now = queue.now();
    const main = jobPage({ job: jobView(job, now), logs, files }, now);
    const json = `/api/jobs/${job.id}`;
    const live = { liveToken: await jobToken(job.id, effects), liveAddress: `${json}/token` };
    return sendPage(reply, { title: `${job.name} · ${project}`, project, json, ...live, main });
  });
}

/** Where there is no queue. */
export function addNoJobsPage(app: FastifyInstance, { home }: ServerOptions): void {
  const project = baseName(home);
  app.get('/jobs', async (_request, reply) =>
    sendPage(reply, { title: `Jobs · ${project}`, project, main: noQueuePage() }),
  );
}

function askedList(parameters: URLSearchParams): AskedList {
  const kept = new URLSearchParams(parameters);
  kept.delete('before');
  const text = (name: string) => parameters.get(name) ?? '';
  return {
    ...{ search: text('search'), status: text('status').toUpperCase(), project: text('project') },
    address: kept.size === 0 ? '?' : `?${kept}&`,
    isFiltered: [...parameters].some(([, value]) => value !== ''),
  };
}
