import { NightmarkError } from '../../platform/core/errors.ts';
import type { Job } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';

/** The job with this id, or the only one whose id ends with it: its last six digits are what people see. */
export async function findJob(part: string, queue: JobQueue): Promise<Job> {
  const text = part.toLowerCase();
  if (/^[0-9a-f]{24}$/.test(text)) {
    const job = await queue.job(text);
    if (job) return job;
  } else if (/^[0-9a-f]{6,23}$/.test(text)) {
    const ends = (await queue.idsWith(text, 100)).filter((id) => id.endsWith(text));
    const [only = ''] = ends;
    const job = ends.length === 1 ? await queue.job(only) : undefined;
    if (job) return job;
  }
  throw new NightmarkError('JOBS_UNKNOWN', `There is no job "${part.slice(0, 60)}".`, {
    hint: '/api/jobs lists them; an id has 24 digits, of which the last six are enough where no other job has them.',
  });
}
