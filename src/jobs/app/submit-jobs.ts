import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { type Job, type JobCode, type JobSpec, jobIds, shortId } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';
import { hasEnded } from '../core/shown-job.ts';

/** A job without the fields that submission adds. */
export type JobDraft = Omit<JobSpec, 'id' | 'createdAt' | 'code'>;

const NAMES = ['user', 'project', 'experiment', 'name'] as const;
const NAME_LENGTH = 200;
const MOST_WORKERS = 10_000;

/** Puts jobs into the queue, all or none. Returns ids in the order of the drafts. */
export async function submitJobs(
  drafts: readonly JobDraft[],
  code: JobCode | undefined,
  effects: { readonly queue: JobQueue; randomSeed(): number },
): Promise<readonly string[]> {
  const { queue } = effects;
  for (const draft of drafts) checkDraft(draft);
  await checkDependencies(new Set(drafts.flatMap(({ after }) => after)), queue);
  const createdAt = queue.now();
  const nextId = jobIds(createdAt, () => effects.randomSeed());
  const specs = drafts.map(
    (draft): JobSpec => ({ ...draft, id: nextId(), createdAt, ...(code && { code }) }),
  );
  await queue.submit(specs);
  return specs.map(({ id }) => id);
}

function checkDraft(draft: JobDraft): void {
  for (const key of NAMES) {
    const text = draft[key];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a name
    if (text.trim() === '' || text.length > NAME_LENGTH || /[\u0000-\u001f\u007f]/.test(text))
      throw new NightmarkError('JOBS_NAME', `${safeJson(text)} cannot be the ${key} of a job.`, {
        hint: `Give 1 to ${NAME_LENGTH} characters without line ends or control characters.`,
      });
  }
  const { workers, priority, retries } = draft;
  checkNumber('workers', workers, { from: 1, to: MOST_WORKERS });
  checkNumber('retries', retries, { from: 0, to: 1_000 });
  checkNumber('priority', priority, { from: -1_000_000, to: 1_000_000 });
}

function checkNumber(name: string, value: number, { from, to }: { from: number; to: number }): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw new NightmarkError('JOBS_NUMBER', `${value} cannot be the ${name} of a job.`, {
    hint: `Give a whole number from ${from} to ${to}.`,
  });
}

async function checkDependencies(ids: ReadonlySet<string>, queue: JobQueue): Promise<void> {
  for (const id of ids) {
    if (await queue.job(id)) continue;
    throw new NightmarkError('JOBS_UNKNOWN', `There is no job ${id} to wait for.`, {
      hint: 'Name jobs that are in the queue: nightmark job list',
    });
  }
}

/** Differences of a rerun from the original job. */
export interface RerunChanges {
  readonly overrides: (of: JsonObject) => JsonObject;
  readonly user: string;
  readonly name?: string;
  readonly priority?: number;
  /** Dependencies, instead of those of the original job. */
  readonly after?: readonly string[];
}

/** Submits copies of jobs. Returns their ids in the order of the originals. */
export async function rerunJobs(
  jobs: readonly Job[],
  changes: RerunChanges,
  effects: { readonly queue: JobQueue; randomSeed(): number },
): Promise<readonly string[]> {
  for (const job of jobs) await checkPackage(job, effects.queue);
  const ids: string[] = [];
  for (const job of jobs) {
    const draft = await draftOf(job, changes, effects.queue);
    ids.push(...(await submitJobs([draft], job.code, effects)));
  }
  return ids;
}

async function draftOf(job: Job, changes: RerunChanges, queue: JobQueue): Promise<JobDraft> {
  const { project, experiment, program, git, workers, executor, resources, place, env, retries, sweep } = job;
  return {
    ...{ project, experiment, program, workers, executor, resources, place, env, retries },
    ...(git && { git }),
    ...(sweep !== undefined && { sweep }),
    user: changes.user,
    name: changes.name ?? job.name,
    overrides: changes.overrides(job.overrides),
    priority: changes.priority ?? job.priority,
    after: changes.after ?? (await openDependencies(job.after, queue)),
    rerunOf: job.id,
  };
}

/** Dependencies that have ended, in whatever way, are dropped. */
async function openDependencies(ids: readonly string[], queue: JobQueue): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const jobs = await queue.list({ ids, limit: ids.length });
  return jobs.filter(({ status }) => !hasEnded(status)).map(({ id }) => id);
}

async function checkPackage({ id, code }: Job, queue: JobQueue): Promise<void> {
  if (code?.type !== 'package' || (await queue.hasPackage(code.hash))) return;
  throw new NightmarkError(
    'JOBS_NO_PACKAGE',
    `The package ${code.hash} with the code of job ${shortId(id)} is not in the queue.`,
    { hint: 'It was deleted by hand, or the backup lacks it. Submit the code again: nightmark job submit' },
  );
}
