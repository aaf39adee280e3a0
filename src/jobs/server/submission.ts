import { z } from 'zod';
import { baseName } from '../../platform/core/path.ts';
import type { JobDraft } from '../app/submit-jobs.ts';
import type { JobCode } from '../core/job.ts';
import { badRequest } from './job-requests.ts';

/** One job of a submission: its draft, code and note. */
export interface Submitted {
  readonly draft: JobDraft;
  readonly code?: JobCode;
  readonly note?: string;
}

const MOST_JOBS = 10_000;
const text = z.string().max(10_000);
const texts = z.record(z.string().max(1_000), text);

const resources = z.strictObject({
  cpus: z.number().positive().optional(),
  memoryBytes: z.number().int().positive().optional(),
  gpus: z.number().int().nonnegative().optional(),
  timeMs: z.number().int().positive().optional(),
});

const place = z.strictObject({
  container: z.strictObject({ image: text, engine: text.optional() }).optional(),
  slurm: z
    .strictObject({
      ...{ partition: text.optional(), account: text.optional(), qos: text.optional() },
      ...{ constraint: text.optional(), options: z.array(text).optional(), isMpi: z.boolean().optional() },
    })
    .optional(),
  kubernetes: z
    .strictObject({
      ...{ namespace: text.optional(), image: text.optional(), serviceAccount: text.optional() },
      ...{ imagePullSecrets: z.array(text).optional(), nodeSelector: texts.optional() },
      ...{ volumes: texts.optional(), hostIpc: z.boolean().optional() },
      entrypoint: z.array(text).optional(),
    })
    .optional(),
});

const job = z.strictObject({
  ...{ user: text.optional(), project: text.optional(), experiment: text.optional(), name: text.optional() },
  command: z.tuple([text.min(1)], text).optional(),
  script: text.min(1).optional(),
  config: z.record(z.string(), z.json()).optional(),
  ...{ workers: z.number().optional(), priority: z.number().optional(), retries: z.number().optional() },
  ...{ executor: text.optional(), resources: resources.optional(), place: place.optional() },
  ...{
    env: texts.optional(),
    after: z.array(text).optional(),
    sweep: text.optional(),
    note: text.optional(),
  },
  code: z
    .union([
      z.strictObject({ path: z.string().startsWith('/') }),
      z.strictObject({ package: z.string().regex(/^[0-9a-f]{64}$/), name: text.optional() }),
    ])
    .optional(),
});

const submission = z.union([z.strictObject({ jobs: z.array(job).min(1).max(MOST_JOBS) }), job]);

/** Reads one job or `{jobs: [...]}`; all of them or none. */
export function readSubmission(given: unknown, home: string): readonly Submitted[] {
  const isMany = typeof given === 'object' && given !== null && 'jobs' in given;
  const read = (isMany ? submission.options[0] : submission.options[1]).safeParse(given);
  if (!read.success) {
    const problems = read.error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
    throw badRequest(
      `Invalid submission: ${problems.join('; ')}.`,
      'Send {"command": ["python3", "train.py"]} as application/json.',
    );
  }
  const jobs = 'jobs' in read.data ? read.data.jobs : [read.data];
  return jobs.map((one) => submitted(one, home));
}

function submitted(one: z.output<typeof job>, home: string): Submitted {
  const { command, script, code, note, sweep } = one;
  if ((command === undefined) === (script === undefined))
    throw badRequest(
      'A job has either "command" or "script".',
      'For example {"command": ["true"]} or {"script": "train.py"}.',
    );
  const program = command
    ? ({ type: 'command', argv: command } as const)
    : ({ type: 'script', path: script ?? '' } as const);
  const draft = {
    user: one.user ?? 'api',
    project: one.project ?? (baseName(home) || 'home'),
    experiment: one.experiment ?? 'default',
    name: one.name ?? (baseName(command?.[0] ?? script ?? '') || 'job'),
    program,
    overrides: one.config ?? {},
    workers: one.workers ?? 1,
    priority: one.priority ?? 1,
    retries: one.retries ?? 0,
    executor: one.executor ?? 'process',
    resources: one.resources ?? {},
    place: one.place ?? {},
    env: one.env ?? {},
    after: one.after ?? [],
    ...(sweep !== undefined && { sweep }),
  };
  return {
    draft: draft as JobDraft,
    ...(code && { code: codeOf(code) }),
    ...(note !== undefined && { note }),
  };
}

function codeOf(code: NonNullable<z.output<typeof job>['code']>): JobCode {
  if ('path' in code) return { type: 'path', path: code.path };
  return { type: 'package', hash: code.package, name: code.name ?? 'code' };
}
