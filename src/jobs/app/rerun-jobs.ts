import { NightmarkError } from '../../platform/core/errors.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { Job } from '../core/job.ts';
import { shortId } from '../core/job-id.ts';
import type { JobQueue } from '../core/job-queue.ts';
import { hasEnded } from '../core/shown-status.ts';
import { type JobDraft, submitJobs } from './submit-jobs.ts';

/** What a repetition has that the job did not. */
export interface RerunChanges {
  readonly overrides: (of: JsonObject) => JsonObject;
  readonly user: string;
  readonly name?: string;
  readonly priority?: number;
  /** Jobs to wait for, in the place of those that the first one waited for. */
  readonly after?: readonly string[];
}

/** New jobs with the description of old ones; their ids, in the order of the old ones. */
export async function rerunJobs(
  jobs: readonly Job[],
  changes: RerunChanges,
  effects: { readonly queue: JobQueue; randomSeed(): number },
): Promise<readonly string[]> {
  for (const job of jobs) await refuseWithoutCode(job, effects.queue);
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
    after: changes.after ?? (await stillOpen(job.after, queue)),
    rerunOf: job.id,
  };
}

/** What has ended, in whatever way, was waited for already. */
async function stillOpen(ids: readonly string[], queue: JobQueue): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const jobs = await queue.list({ ids, limit: ids.length });
  return jobs.filter(({ status }) => !hasEnded(status)).map(({ id }) => id);
}

async function refuseWithoutCode({ id, code }: Job, queue: JobQueue): Promise<void> {
  if (code?.type !== 'package' || (await queue.hasPackage(code.hash))) return;
  throw new NightmarkError(
    'JOBS_NO_PACKAGE',
    `The package ${code.hash} with the code of job ${shortId(id)} is not in the queue.`,
    { hint: 'It was deleted by hand, or the backup lacks it. Submit the code again: nightmark job submit' },
  );
}
