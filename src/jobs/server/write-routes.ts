import type { FastifyInstance } from 'fastify';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import {
  anything,
  count,
  fields,
  list,
  type RouteDescription,
  text,
} from '../../platform/server/route-config.ts';
import { sendJson } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { deleteJobs } from '../app/delete-jobs.ts';
import { rerunJobs, submitJobs } from '../app/submit-jobs.ts';
import { type Job, type JobCode, shortId } from '../core/job.ts';
import { jobView } from '../core/job-documents.ts';
import { annotate, badRequest, findJob, parseParameters, singleParameter } from './job-requests.ts';
import { SeriesFinder } from './job-series.ts';
import type { JobEffects, JobService } from './job-service.ts';
import type { Submitted } from './submission.ts';

type OneJob = { Params: { id: string } };

const MOST_BYTES = 4 * 1024 * 1024;

/** Everything that changes jobs. */
export function addJobWriting(app: FastifyInstance, options: ServerOptions, effects: JobEffects): void {
  const { jobs } = effects;
  const { queue } = jobs;
  const only = (doc: RouteDescription, bringsProgram = false) => ({
    bodyLimit: MOST_BYTES,
    config: { scope: 'write', doc, bringsProgram } as const,
  });

  app.post('/api/jobs', only(SUBMIT, true), async (request, reply) => {
    const { readSubmission } = await import('./submission.ts');
    const ids = await submit(readSubmission(request.body, options.home), jobs);
    return sendJson(reply.code(201), { ids });
  });
  app.post<OneJob>('/api/jobs/:id/cancel', only(CANCEL), async (request, reply) => {
    const { reason = 'It was cancelled by a request.' } = textsIn(request.body, ['reason']);
    const { id } = await findJob(request.params.id, queue);
    const [cancelled] = await queue.cancel([id], reason.slice(0, 1_000));
    return sendJson(reply, cancelled);
  });
  app.post<OneJob>('/api/jobs/:id/rerun', only(RERUN), async (request, reply) => {
    const job = await findJob(request.params.id, queue);
    const [id] = await rerunJobs([job], { overrides: (same) => same, user: job.user }, jobs);
    return sendJson(reply.code(201), { id });
  });
  app.post<OneJob>('/api/jobs/:id/annotate', only(ANNOTATE), async (request, reply) => {
    const { key } = textsIn(request.body, ['key', 'value']);
    if (key === undefined) throw badRequest('There is no "key".', 'Send {"key": "star", "value": true}.');
    const { value } = request.body as { readonly value?: JsonValue };
    const { id } = await findJob(request.params.id, queue);
    const job = await annotate(queue, { id, key, value });
    return sendJson(reply, job ? jobView(job, queue.now()) : null);
  });
  app.delete<OneJob>('/api/jobs/:id', only(DELETE), async (request, reply) => {
    const isForced = singleParameter(parseParameters(request.query, ['force']), 'force') === '1';
    return sendJson(reply, await removeJob(await findJob(request.params.id, queue), effects, isForced));
  });
}

const SUBMIT: RouteDescription = {
  summary:
    'Puts jobs into the queue, all or none; needs a token even on this machine, as it brings a program',
  body: anything,
  answer: fields({ ids: list(text) }),
};
const CANCEL: RouteDescription = {
  summary: 'Cancels a job that waits or runs',
  body: fields({ 'reason?': text }),
  answer: anything,
};
const RERUN: RouteDescription = { summary: 'Submits a job again', answer: fields({ id: text }) };
const ANNOTATE: RouteDescription = {
  summary: 'Annotates a job: a star, a note; null removes it',
  body: fields({ key: text, 'value?': anything }),
  answer: anything,
};
const DELETE: RouteDescription = {
  summary: 'Deletes a job with its files, logs and metrics',
  query: { force: '1: also one whose worker has not released it' },
  answer: fields({ id: text, series: count, packages: list(text) }),
};

/** Texts of a body; other names are refused. */
function textsIn(body: unknown, known: readonly string[]): Readonly<Record<string, string | undefined>> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw badRequest(
      'The body is not an object.',
      `Send an object with ${known.join(', ')} as application/json.`,
    );
  const fields = Object.entries(body);
  for (const [name] of fields)
    if (!known.includes(name))
      throw badRequest(`There is no "${name}" here.`, `There is ${known.join(', ')}.`);
  return Object.fromEntries(fields.filter(([, value]) => typeof value === 'string'));
}

/** Puts what was read into the queue, all of it or nothing; ids in the order of the jobs. */
async function submit(
  all: readonly Submitted[],
  { queue, randomSeed }: JobService,
): Promise<readonly string[]> {
  const [first] = all;
  const code = first?.code;
  if (all.some((one) => JSON.stringify(one.code) !== JSON.stringify(code)))
    throw badRequest(
      'Jobs of one submission have the same "code".',
      'Submit those with other code separately.',
    );
  await refuseUnknownCode(code, { queue });
  const drafts = [];
  for (const { draft } of all) {
    const after: string[] = [];
    for (const part of draft.after) after.push((await findJob(part, queue)).id);
    drafts.push({ ...draft, after });
  }
  const ids = await submitJobs(drafts, code, { queue, randomSeed });
  for (const [at, { note }] of all.entries())
    if (note !== undefined) await queue.annotate(ids[at] ?? '', 'description', note);
  return ids;
}

async function refuseUnknownCode(
  code: JobCode | undefined,
  { queue }: Pick<JobService, 'queue'>,
): Promise<void> {
  if (code?.type !== 'package' || (await queue.hasPackage(code.hash))) return;
  throw badRequest(
    `The queue has no package ${code.hash}.`,
    'Name the code of a job that is in the queue (/api/jobs/ID, "code"), or submit it with "nightmark job submit".',
  );
}

/** Workers check every two seconds whether their jobs are cancelled, and then have to end them. */
const DELETE_WAIT_MS = 10_000;

interface RemovedJob {
  readonly id: string;
  /** Columns of points that went with it. */
  readonly series: number;
  /** Code that no other job needs. */
  readonly packages: readonly string[];
}

/** Forgets a job with its files, metrics and code. One that runs is cancelled, and waited for unless it is forced. */
async function removeJob(job: Job, effects: JobEffects, isForced: boolean): Promise<RemovedJob> {
  const { queue, results, clock, isAlive } = effects.jobs;
  let series = 0;
  const deleteMetrics = async () => {
    series = await removeSeries(job.id, effects);
  };
  const { kept, packages } = await deleteJobs(
    [job],
    { reason: 'It was deleted.', results, waitMs: isForced ? 0 : DELETE_WAIT_MS, isForced },
    { ...{ queue, clock, isAlive, deleteMetrics }, disk: effects.disk, signal: new AbortController().signal },
  );
  if (kept.length === 0) return { id: job.id, series, packages };
  throw new NightmarkError(
    'JOBS_STILL_RUNS',
    `Job ${shortId(job.id)} is cancelled, but its worker has not released it.`,
    { hint: 'Try again, or delete it whatever runs: ?force=1' },
  );
}

async function removeSeries(id: string, { reader, admin }: JobEffects): Promise<number> {
  const columns = admin ? new SeriesFinder(reader).columnsOf(id).map(({ number }) => number) : [];
  if (columns.length > 0) await admin?.deletePoints(columns, {});
  return columns.length;
}
