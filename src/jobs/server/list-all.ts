import { setImmediate } from 'node:timers/promises';
import type { Job } from '../core/job.ts';
import type { JobQuery, JobQueue } from '../core/job-queue.ts';

const PAGE = 500;

/** Up to so many jobs, read page by page: others are answered in between, however many there are. */
export async function listAll(queue: JobQueue, query: JobQuery): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (let before = query.before; ; ) {
    const limit = Math.min(PAGE, query.limit - jobs.length);
    const page = await queue.list({ ...query, limit, ...(before !== undefined && { before }) });
    jobs.push(...page);
    if (page.length < limit || jobs.length >= query.limit) return jobs;
    before = page.at(-1)?.id;
    await setImmediate();
  }
}
