import type { FastifyInstance } from 'fastify';
import type { RouteDescription } from '../../platform/server/route-config.ts';
import { anything, fields, mapOf } from '../../platform/server/schema.ts';
import { sendJson } from '../../platform/server/send.ts';
import { comparedDocument } from '../core/compare-jobs.ts';
import type { Job } from '../core/job.ts';
import { type JobCounts, listedJob } from '../core/job-documents.ts';
import type { JobQuery } from '../core/job-queue.ts';
import { SHOWN_STATUSES } from '../core/shown-job.ts';
import { askedJobs, refused, single } from './asked.ts';
import type { JobEffects } from './effects.ts';
import { jobColumns } from './job-columns.ts';
import { jobsCsv } from './jobs-csv.ts';
import { listAll } from './list-all.ts';
import { OF_LIST } from './read-docs.ts';

/** As many columns as anybody reads side by side, and as many curves as a screen tells apart. */
const COMPARED = { usual: 100, most: 200 } as const;
const DRAWN = { usual: 100, most: 500 } as const;
const EXPORTED = { usual: 10_000, most: 100_000 } as const;

/** What may be asked about several jobs at once; the same filters as those of the list choose them. */
export function addManyReading(app: FastifyInstance, effects: JobEffects): void {
  const { queue } = effects.jobs;
  app.get('/api/jobs/counts', { config: { doc: DOCS.counts } }, async ({ query }, reply) =>
    sendJson(reply, await countsOf(askedJobs(query, DRAWN), effects)),
  );
  app.get('/api/jobs/compare', { config: { doc: DOCS.compare } }, async ({ query }, reply) => {
    const { jobs, isCut } = await firstOf(askedJobs(query, COMPARED), effects);
    return sendJson(reply, comparedDocument(jobs, queue.now(), isCut));
  });
  app.get('/api/jobs/code', { config: { doc: DOCS.code } }, async ({ query }, reply) => {
    const { jobs } = await firstOf(askedJobs(query, COMPARED), effects);
    const [first, second, ...others] = jobs;
    if (first === undefined || second === undefined || others.length > 0)
      throw refused(`The code of two jobs is compared, not of ${jobs.length}.`, 'Give two: ?id=...&id=...');
    const { compareCode } = effects.jobs;
    // The older one is what the younger one is compared with.
    return sendJson(reply, { code: (await compareCode?.([second, first])) ?? null });
  });
  app.get('/api/jobs/series', { config: { doc: DOCS.series } }, async ({ query }, reply) => {
    const { measurement, ...filters } = query as Readonly<Record<string, string | readonly string[]>>;
    const name = single(new Map(measurement === undefined ? [] : [['m', [measurement].flat()]]), 'm');
    const { jobs, isCut } = await firstOf(askedJobs(filters, DRAWN), effects);
    const asked = { isCut, ...(name !== undefined && { measurement: name }) };
    return sendJson(reply, await jobColumns(jobs, asked, effects.reader));
  });
  app.get('/api/jobs.csv', { config: { doc: DOCS.table } }, async ({ query }, reply) => {
    const now = queue.now();
    const jobs = await listAll(queue, askedJobs(query, EXPORTED));
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="jobs.csv"')
      .send(jobsCsv(jobs.map((job) => listedJob(job, now))));
  });
}

const DOCS = {
  counts: { summary: 'How many jobs there are, by status', query: OF_LIST, answer: mapOf(anything) },
  compare: {
    summary: 'What jobs have in common and in what they differ: configuration, environment, results',
    query: OF_LIST,
    answer: mapOf(anything),
  },
  code: {
    summary: 'The code of two jobs, compared file by file; null where it is not kept',
    query: { id: 'given twice: the two jobs' },
    answer: fields({ code: anything }),
  },
  series: {
    summary: 'Metrics of many jobs as columns',
    query: { ...OF_LIST, measurement: 'only this one' },
    answer: mapOf(anything),
  },
  table: { summary: 'Jobs as a table, with their settings', query: OF_LIST, answer: { media: ['text/csv'] } },
} as const satisfies Readonly<Record<string, RouteDescription>>;

async function firstOf(
  query: JobQuery,
  { jobs: { queue } }: JobEffects,
): Promise<{ readonly jobs: readonly Job[]; readonly isCut: boolean }> {
  const found = await queue.list({ ...query, limit: query.limit + 1 });
  return { jobs: found.slice(0, query.limit), isCut: found.length > query.limit };
}

/** A search goes through all jobs, so it is made once, and the statuses are counted without it. */
async function countsOf(
  { limit: _, ...query }: JobQuery,
  { jobs: { queue } }: JobEffects,
): Promise<JobCounts> {
  const { status: _status, search, ...others } = query;
  const total = await queue.count(query);
  const statuses: [string, number][] = [];
  for (const status of search === undefined ? SHOWN_STATUSES : []) {
    const count = await queue.count({ ...others, status });
    if (count > 0) statuses.push([status, count]);
  }
  return { total, statuses: Object.fromEntries(statuses) };
}
