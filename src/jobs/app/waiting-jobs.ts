import type { JobQueue } from '../core/job-queue.ts';

/** What waits for workers that run programs themselves. */
export interface Waiting {
  readonly jobs: number;
  /** Workers that could be busy at once: those of all jobs together. */
  readonly ranks: number;
  /** The most workers that one of them needs at the same time. */
  readonly widest: number;
}

/** Executors whose programs run where the worker is. */
const LOCAL = ['process', 'container'];
/** More would not change how many workers are asked for. */
const LOOKED_AT = 10_000;

export async function waitingJobs(
  { ids, project }: { readonly ids?: readonly string[]; readonly project?: string },
  queue: JobQueue,
): Promise<Waiting> {
  const found = await queue.list({
    limit: LOOKED_AT,
    status: 'CREATED',
    ...(ids !== undefined && { ids }),
    ...(project !== undefined && { project }),
  });
  const workers = found.filter(({ executor }) => LOCAL.includes(executor)).map((job) => job.workers);
  return {
    jobs: workers.length,
    ranks: workers.reduce((sum, count) => sum + count, 0),
    widest: Math.max(0, ...workers),
  };
}
