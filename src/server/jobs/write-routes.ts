import type { FastifyInstance } from 'fastify';
import { rerunJobs } from '../../app/jobs/rerun-jobs.ts';
import { jobView } from '../../core/jobs/job-view.ts';
import type { JsonValue } from '../../core/text/json.ts';
import type { RouteDescription } from '../describe/route-config.ts';
import { anything, count, fields, list, text } from '../describe/schema.ts';
import type { ServerOptions } from '../effects.ts';
import { sendJson } from '../send.ts';
import { annotate } from './annotate.ts';
import { askedOf, refused, single } from './asked.ts';
import type { JobEffects } from './effects.ts';
import { findJob } from './find-job.ts';
import { removeJob } from './remove-job.ts';
import { submit } from './submit.ts';

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
    if (key === undefined) throw refused('There is no "key".', 'Send {"key": "star", "value": true}.');
    const { value } = request.body as { readonly value?: JsonValue };
    const { id } = await findJob(request.params.id, queue);
    const job = await annotate(queue, { id, key, value });
    return sendJson(reply, job ? jobView(job, queue.now()) : null);
  });
  app.delete<OneJob>('/api/jobs/:id', only(DELETE), async (request, reply) => {
    const isForced = single(askedOf(request.query, ['force']), 'force') === '1';
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
  summary: 'Says something of a job: a star, a note; null takes it away',
  body: fields({ key: text, 'value?': anything }),
  answer: anything,
};
const DELETE: RouteDescription = {
  summary: 'Deletes a job with its files, logs and metrics',
  query: { force: '1: also one whose worker has not let go of it' },
  answer: fields({ id: text, series: count, packages: list(text) }),
};

/** Texts of a body; other names are refused. */
function textsIn(body: unknown, known: readonly string[]): Readonly<Record<string, string | undefined>> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw refused('The body is no object.', `Send an object with ${known.join(', ')} as application/json.`);
  const fields = Object.entries(body);
  for (const [name] of fields)
    if (!known.includes(name)) throw refused(`There is no "${name}" here.`, `There is ${known.join(', ')}.`);
  return Object.fromEntries(fields.filter(([, value]) => typeof value === 'string'));
}
