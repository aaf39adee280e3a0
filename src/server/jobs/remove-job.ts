import { deleteJobs } from '../../app/jobs/delete-jobs.ts';
import { NightmarkError } from '../../core/errors.ts';
import { shortId } from '../../core/jobs/job-id.ts';
import type { Job } from '../../core/model/job.ts';
import type { JobEffects } from './effects.ts';
import { SeriesFinder } from './job-series.ts';

/** A worker looks every two seconds whether its jobs are cancelled, and then has to end them. */
const WAIT_MS = 10_000;

export interface RemovedJob {
  readonly id: string;
  /** Columns of points that went with it. */
  readonly series: number;
  /** Code that no other job needs. */
  readonly packages: readonly string[];
}

/** Forgets a job with its files, metrics and code. One that runs is cancelled, and waited for unless it is forced. */
export async function removeJob(job: Job, effects: JobEffects, isForced: boolean): Promise<RemovedJob> {
  const { queue, results, clock, isAlive } = effects.jobs;
  let series = 0;
  const deleteMetrics = async () => {
    series = await removeSeries(job.id, effects);
  };
  const { kept, packages } = await deleteJobs(
    [job],
    { reason: 'It was deleted.', results, waitMs: isForced ? 0 : WAIT_MS, isForced },
    { ...{ queue, clock, isAlive, deleteMetrics }, disk: effects.disk, signal: new AbortController().signal },
  );
  if (kept.length === 0) return { id: job.id, series, packages };
  throw new NightmarkError(
    'JOBS_STILL_RUNS',
    `Job ${shortId(job.id)} is cancelled, but its worker has not let go of it.`,
    { hint: 'Try again, or delete it whatever runs: ?force=1' },
  );
}

async function removeSeries(id: string, { reader, admin }: JobEffects): Promise<number> {
  const columns = admin ? new SeriesFinder(reader).columnsOf(id).map(({ number }) => number) : [];
  if (columns.length > 0) await admin?.deletePoints(columns, {});
  return columns.length;
}
