import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sendJson } from '../../platform/server/send.ts';
import { type JobList, jobView, listedJob } from '../core/job-documents.ts';
import type { JobQuery } from '../core/job-queue.ts';
import { askedJobs, askedLogs, askedOf, single } from './asked.ts';
import { Budget } from './budget.ts';
import type { JobEffects } from './effects.ts';
import { findJob } from './find-job.ts';
import { filteredSeries } from './graphql/series-fields.ts';
import { SeriesFinder } from './job-series.ts';
import { READ_DOCS as DOCS } from './read-docs.ts';
import { extremeRow, newestRow, seriesRows } from './series-rows.ts';

type OneJob = { Params: { id: string } };

const LISTED = { usual: 100, most: 1_000 } as const;

/** Everything that may be asked about jobs. */
export function addJobReading(app: FastifyInstance, effects: JobEffects): void {
  const { queue } = effects.jobs;
  app.get('/api/jobs', { config: { doc: DOCS.list } }, async (request, reply) =>
    sendJson(reply, await listJobs(askedJobs(request.query, LISTED), effects)),
  );
  // Asked every few seconds by every open page.
  app.get('/api/jobs/token', { config: { doc: DOCS.token } }, async (request, reply) =>
    sendJson(reply, { token: tokenOf(await listJobs(askedJobs(request.query, LISTED), effects)) }),
  );
  app.get<OneJob>('/api/jobs/:id', { config: { doc: DOCS.job } }, async ({ params }, reply) =>
    sendJson(reply, jobView(await findJob(params.id, queue), queue.now())),
  );
  app.get<OneJob>('/api/jobs/:id/token', { config: { doc: DOCS.token } }, async ({ params }, reply) =>
    sendJson(reply, { token: await jobToken(params.id, effects) }),
  );
  app.get<OneJob>('/api/jobs/:id/logs', { config: { doc: DOCS.logs } }, async ({ params, query }, reply) => {
    const asked = askedLogs(query);
    const { id } = await findJob(params.id, queue);
    return sendJson(reply, { id, ...(await queue.logs(id, asked)) });
  });
  app.get<OneJob>(
    '/api/jobs/:id/metrics',
    { config: { doc: DOCS.metrics } },
    async ({ params, query }, reply) => sendJson(reply, await metricsOf(params.id, query, effects)),
  );
}

export async function listJobs(query: JobQuery, { jobs: { queue } }: JobEffects): Promise<JobList> {
  const found = await queue.list({ ...query, limit: query.limit + 1 });
  const shown = found.slice(0, query.limit);
  const last = found.length > query.limit ? shown.at(-1) : undefined;
  const now = queue.now();
  return { jobs: shown.map((job) => listedJob(job, now)), ...(last && { nextBefore: last.id }) };
}

/** Changes with what a page shows. Signs of life alone are nothing new. */
export function tokenOf(list: unknown): string {
  const facts = JSON.stringify(list, (key, value) => (key === 'heartbeatAt' ? undefined : value));
  return createHash('sha256').update(facts).digest('base64url').slice(0, 16);
}

/** Changes with the job and with what it printed. */
export async function jobToken(part: string, { jobs: { queue } }: JobEffects): Promise<string> {
  const job = await findJob(part, queue);
  const { next } = await queue.logs(job.id, { tail: 1, limit: 1 });
  return tokenOf([jobView(job, queue.now()), next]);
}

/** Metrics with their newest and extreme points, and with `values=1` all of them. */
async function metricsOf(part: string, query: unknown, { jobs, reader }: JobEffects) {
  const asked = askedOf(query, ['measurement', 'tags', 'values']);
  const [measurement, tags] = [single(asked, 'measurement'), single(asked, 'tags')];
  const filter = { ...(measurement !== undefined && { measurement }), ...(tags !== undefined && { tags }) };
  const hasValues = single(asked, 'values') === '1';
  const job = await findJob(part, jobs.queue);
  const sources = { reader, budget: new Budget() };
  const series = [];
  for (const one of filteredSeries(new SeriesFinder(reader).seriesOf(job), filter)) {
    const rows = await seriesRows(one, sources);
    series.push({
      measurement: one.measurement,
      tags: one.tags,
      ...(one.summary && { id: one.summary.id }),
      count: rows.length,
      newest: await newestRow(one, sources),
      smallest: extremeRow(one, rows, 'min'),
      largest: extremeRow(one, rows, 'max'),
      ...(hasValues && { values: rows }),
    });
  }
  return { id: job.id, series };
}
