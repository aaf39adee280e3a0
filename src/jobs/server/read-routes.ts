import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  anything,
  count,
  fields,
  list,
  mapOf,
  type RouteDescription,
  text,
  timestamp,
} from '../../platform/server/route-config.ts';
import { sendJson } from '../../platform/server/send.ts';
import { type JobList, jobView, listedJob } from '../core/job-documents.ts';
import type { JobQuery } from '../core/job-queue.ts';
import {
  Budget,
  findJob,
  LIST_QUERY_DOC,
  parseJobQuery,
  parseLogQuery,
  parseParameters,
  singleParameter,
} from './job-requests.ts';
import { extremeRow, filteredSeries, newestRow, SeriesFinder, seriesRows } from './job-series.ts';
import type { JobEffects } from './job-service.ts';

type OneJob = { Params: { id: string } };

const LISTED = { usual: 100, most: 1_000 } as const;

/** Queries about jobs. */
export function addJobReading(app: FastifyInstance, effects: JobEffects): void {
  const { queue } = effects.jobs;
  app.get('/api/jobs', { config: { doc: DOCS.list } }, async (request, reply) =>
    sendJson(reply, await listJobs(parseJobQuery(request.query, LISTED), effects)),
  );
  // Polled every few seconds by every open page.
  app.get('/api/jobs/token', { config: { doc: DOCS.token } }, async (request, reply) =>
    sendJson(reply, { token: tokenOf(await listJobs(parseJobQuery(request.query, LISTED), effects)) }),
  );
  app.get<OneJob>('/api/jobs/:id', { config: { doc: DOCS.job } }, async ({ params }, reply) =>
    sendJson(reply, jobView(await findJob(params.id, queue), queue.now())),
  );
  app.get<OneJob>('/api/jobs/:id/token', { config: { doc: DOCS.token } }, async ({ params }, reply) =>
    sendJson(reply, { token: await jobToken(params.id, effects) }),
  );
  app.get<OneJob>('/api/jobs/:id/logs', { config: { doc: DOCS.logs } }, async ({ params, query }, reply) => {
    const page = parseLogQuery(query);
    const { id } = await findJob(params.id, queue);
    return sendJson(reply, { id, ...(await queue.logs(id, page)) });
  });
  app.get<OneJob>(
    '/api/jobs/:id/metrics',
    { config: { doc: DOCS.metrics } },
    async ({ params, query }, reply) => sendJson(reply, await metricsOf(params.id, query, effects)),
  );
}

async function listJobs(query: JobQuery, { jobs: { queue } }: JobEffects): Promise<JobList> {
  const found = await queue.list({ ...query, limit: query.limit + 1 });
  const shown = found.slice(0, query.limit);
  const last = found.length > query.limit ? shown.at(-1) : undefined;
  const now = queue.now();
  return { jobs: shown.map((job) => listedJob(job, now)), ...(last && { nextBefore: last.id }) };
}

/** Changes with what a page shows. Heartbeats alone do not change it. */
function tokenOf(list: unknown): string {
  const facts = JSON.stringify(list, (key, value) => (key === 'heartbeatAt' ? undefined : value));
  return createHash('sha256').update(facts).digest('base64url').slice(0, 16);
}

/** Changes with the job and with what it printed. */
async function jobToken(part: string, { jobs: { queue } }: JobEffects): Promise<string> {
  const job = await findJob(part, queue);
  const { next } = await queue.logs(job.id, { tail: 1, limit: 1 });
  return tokenOf([jobView(job, queue.now()), next]);
}

/** Metrics with their newest and extreme points, and with `values=1` all of them. */
async function metricsOf(part: string, query: unknown, { jobs, reader }: JobEffects) {
  const parameters = parseParameters(query, ['measurement', 'tags', 'values']);
  const [measurement, tags] = [
    singleParameter(parameters, 'measurement'),
    singleParameter(parameters, 'tags'),
  ];
  const filter = { ...(measurement !== undefined && { measurement }), ...(tags !== undefined && { tags }) };
  const hasValues = singleParameter(parameters, 'values') === '1';
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

const job = {
  id: text,
  status: text,
  project: text,
  experiment: text,
  name: text,
  user: text,
  envNames: list(text),
  annotations: mapOf(anything),
};

/** Described in docs/reference/jobs-api.md. */
const DOCS = {
  list: {
    summary: 'Jobs, newest first',
    query: LIST_QUERY_DOC,
    answer: fields({ jobs: list(fields(job)), 'nextBefore?': text }),
  },
  token: { summary: 'A token that changes with the answer', answer: fields({ token: text }) },
  job: { summary: 'Everything about a job; of its variables only the names', answer: fields(job) },
  logs: {
    summary: 'What a job printed',
    query: {
      after: 'only what came later; "next" of an answer before',
      tail: 'the last lines only',
      worker: 'rank of a worker',
      type: 'info or error',
      limit: 'how many: 1000, at most 10000',
    },
    answer: fields({
      id: text,
      entries: list(fields({ worker: count, type: text, message: text, time: timestamp })),
    }),
  },
  metrics: {
    summary: 'Metrics of a job with their newest and extreme points',
    query: { measurement: 'of this name', tags: 'with these tags', values: '1: all points' },
    answer: fields({ id: text, series: list(fields({ measurement: text, tags: anything, count })) }),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;
