import { shortId } from '../../core/jobs/job-id.ts';
import { hasEnded } from '../../core/jobs/shown-status.ts';
import type { Job } from '../../core/model/job.ts';
import { baseName } from '../../core/path.ts';
import type { JobEffects } from './effects.ts';
import { SeriesFinder } from './job-series.ts';
import { outputFolder } from './output-files.ts';

export interface RemovedJob {
  readonly id: string;
  readonly hadFiles: boolean;
  /** Columns of points that went with it. */
  readonly series: number;
  /** Code that no other job needs. */
  readonly packages: readonly string[];
}

/** Forgets a job with its files, metrics and code; one that runs is cancelled. The job goes last: a failure can be repeated. */
export async function removeJob(job: Job, { jobs, disk, reader, admin }: JobEffects): Promise<RemovedJob> {
  const { queue, results } = jobs;
  if (!hasEnded(job.status)) await queue.cancel([job.id], 'It was deleted.');
  const found = await outputFolder(job, results);
  // Named after the job, as workers do: a folder that others share is left alone.
  const folder = found !== undefined && baseName(found).endsWith(`_${shortId(job.id)}`) ? found : undefined;
  if (folder !== undefined) await disk.remove(folder);
  const columns = admin ? new SeriesFinder(reader).columnsOf(job.id) : [];
  if (columns.length > 0)
    await admin?.deletePoints(
      columns.map(({ number }) => number),
      {},
    );
  await queue.delete([job.id]);
  const packages = await queue.collectPackages();
  return { id: job.id, hadFiles: folder !== undefined, series: columns.length, packages };
}
