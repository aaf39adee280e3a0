import type { FastifyInstance } from 'fastify';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isSecretKey } from '../../platform/core/secrets.ts';
import { csvCell } from '../../platform/core/text/csv.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { anything, fields, mapOf, type RouteDescription } from '../../platform/server/route-config.ts';
import { sendJson } from '../../platform/server/send.ts';
import { comparedDocument } from '../core/compare-jobs.ts';
import { flatKeys } from '../core/dotted-keys.ts';
import type { Job } from '../core/job.ts';
import { type JobCounts, type ListedJob, listedJob } from '../core/job-documents.ts';
import type { JobQuery, JobQueue } from '../core/job-queue.ts';
import { HIDDEN_VALUE, SHOWN_STATUSES } from '../core/shown-job.ts';
import { jobColumns } from './job-columns.ts';
import { badRequest, LIST_QUERY_DOC, listAll, parseJobQuery, singleParameter } from './job-requests.ts';
import type { JobEffects } from './job-service.ts';

/** More columns cannot be read side by side, and more curves cannot be distinguished. */
const COMPARED = { usual: 100, most: 200 } as const;
const DRAWN = { usual: 100, most: 500 } as const;
const EXPORTED = { usual: 10_000, most: 100_000 } as const;

/** Queries about several jobs, with the same filters as the list. */
export function addManyReading(app: FastifyInstance, effects: JobEffects): void {
  const { queue } = effects.jobs;
  app.get('/api/jobs/counts', { config: { doc: MANY_DOCS.counts } }, async ({ query }, reply) =>
    sendJson(reply, await countsOf(parseJobQuery(query, DRAWN), effects)),
  );
  app.get('/api/jobs/compare', { config: { doc: MANY_DOCS.compare } }, async ({ query }, reply) => {
    const { jobs, isCut } = await firstOf(parseJobQuery(query, COMPARED), effects);
    return sendJson(reply, comparedDocument(jobs, queue.now(), isCut));
  });
  app.get('/api/jobs/code', { config: { doc: MANY_DOCS.code } }, async ({ query }, reply) => {
    const { jobs } = await firstOf(parseJobQuery(query, COMPARED), effects);
    const [first, second, ...others] = jobs;
    if (first === undefined || second === undefined || others.length > 0)
      throw badRequest(
        `The code of two jobs is compared, not of ${jobs.length}.`,
        'Give two: ?id=...&id=...',
      );
    const { compareCode } = effects.jobs;
    // The older one is what the younger one is compared with.
    return sendJson(reply, { code: (await compareCode?.([second, first])) ?? null });
  });
  app.get('/api/jobs/series', { config: { doc: MANY_DOCS.series } }, async ({ query }, reply) => {
    const { measurement, ...filters } = query as Readonly<Record<string, string | readonly string[]>>;
    const name = singleParameter(
      new Map(measurement === undefined ? [] : [['m', [measurement].flat()]]),
      'm',
    );
    const { jobs, isCut } = await firstOf(parseJobQuery(filters, DRAWN), effects);
    const options = { isCut, ...(name !== undefined && { measurement: name }) };
    return sendJson(reply, await jobColumns(jobs, options, effects.reader));
  });
  app.get('/api/jobs.csv', { config: { doc: MANY_DOCS.table } }, async ({ query }, reply) => {
    const now = queue.now();
    const jobs = await listAll(queue, parseJobQuery(query, EXPORTED));
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="jobs.csv"')
      .send(jobsCsv(jobs.map((job) => listedJob(job, now))));
  });
}

const MANY_DOCS = {
  counts: { summary: 'How many jobs there are, by status', query: LIST_QUERY_DOC, answer: mapOf(anything) },
  compare: {
    summary: 'What jobs have in common and in what they differ: configuration, environment, results',
    query: LIST_QUERY_DOC,
    answer: mapOf(anything),
  },
  code: {
    summary: 'The code of two jobs, compared file by file; null where it is not kept',
    query: { id: 'given twice: the two jobs' },
    answer: fields({ code: anything }),
  },
  series: {
    summary: 'Metrics of many jobs as columns',
    query: { ...LIST_QUERY_DOC, measurement: 'only this one' },
    answer: mapOf(anything),
  },
  table: {
    summary: 'Jobs as a table, with their settings',
    query: LIST_QUERY_DOC,
    answer: { media: ['text/csv'] },
  },
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

const FACTS = [
  'id',
  'name',
  'experiment',
  'project',
  'user',
  'status',
  'attempt',
  'host',
  'exception',
] as const;
const TIMES = ['createdAt', 'startedAt', 'endedAt'] as const;

/** One row per job: fields, times in ISO 8601, annotations, and each key of the configurations. */
function jobsCsv(jobs: readonly ListedJob[]): string {
  const configs = jobs.map(({ config }) => flatKeys(config, 'config'));
  const annotated = jobs.map(({ annotations }) => flatKeys(annotations, 'annotations'));
  const keys = [...new Set([...configs, ...annotated].flatMap((one) => [...one.keys()]))].sort();
  const head = [...FACTS, ...TIMES, 'progress', ...keys];
  const rows = jobs.map((job, at) => [
    ...FACTS.map((fact) => cellText(job[fact])),
    ...TIMES.map((time) => isoText(job[time])),
    cellText(job.progress),
    ...keys.map((key) => shownCell(key, configs[at]?.get(key) ?? annotated[at]?.get(key))),
  ]);
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

function shownCell(key: string, value: JsonValue | undefined): string {
  return isSecretKey(key.slice(key.lastIndexOf('.') + 1)) && value !== undefined
    ? HIDDEN_VALUE
    : cellText(value);
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isoText(at: number | undefined): string {
  const date = new Date(at ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/**
 * Jobs by status, for Prometheus: a family of https://prometheus.io/docs/specs/om/open_metrics_spec/ without the end mark.
 * Empty while the queue is unavailable: the other families are shown anyway.
 */
export async function jobMetrics(queue: JobQueue, report: (line: string) => void): Promise<string> {
  const lines: string[] = [];
  try {
    for (const status of SHOWN_STATUSES)
      lines.push(`nightmark_jobs{status="${status.toLowerCase()}"} ${await queue.count({ status })}\n`);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    report(`Jobs cannot be counted: ${error.message} [${error.code}]`);
    return '';
  }
  return `# TYPE nightmark_jobs gauge\n# HELP nightmark_jobs Jobs in the queue\n${lines.join('')}`;
}
