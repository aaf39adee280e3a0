import { submitJobs } from '../../app/jobs/submit-jobs.ts';
import type { Job } from '../../core/model/job.ts';
import type { JobService } from './effects.ts';

/** Submits what a job was once more, with the same code; the id of the new one. */
export async function rerunJob(job: Job, { queue, randomSeed }: JobService): Promise<string> {
  const { user, project, experiment, name, program, overrides, git, workers, priority } = job;
  const { executor, resources, place, env, retries, sweep } = job;
  const draft = {
    ...{ user, project, experiment, name, program, overrides, workers, priority },
    ...{ executor, resources, place, env, retries, rerunOf: job.id },
    // What it waited for is over, one way or the other.
    after: [],
    ...(git && { git }),
    ...(sweep !== undefined && { sweep }),
  };
  const [id = ''] = await submitJobs([draft], job.code, { queue, randomSeed });
  return id;
}
