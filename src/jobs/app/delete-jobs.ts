import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { dirName, isInside, resolvePath } from '../../platform/core/path.ts';
import type { Job } from '../core/job.ts';
import { jobFolder } from '../core/job-folder.ts';
import { type KillEffects, killJobs } from './kill-jobs.ts';

export interface DeleteEffects extends KillEffects {
  readonly disk: Disk;
  /** Deletes the time series of these jobs. */
  readonly deleteMetrics: (ids: readonly string[]) => Promise<void>;
}

export interface DeleteOptions {
  readonly reason: string;
  /** Absolute folder of results: nothing outside it is removed. */
  readonly results: string;
  readonly waitMs: number;
  /** Also jobs whose worker has not released them. */
  readonly isForced: boolean;
}

export interface DeletedJobs {
  readonly deleted: readonly string[];
  /** Still there: something of them may run. */
  readonly kept: readonly string[];
  /** Hashes of packages that no job needs any more. */
  readonly packages: readonly string[];
}

const AT_ONCE = 200;

/**
 * Cancels the jobs, then deletes time series, files and finally the job itself: after a failure it can be repeated,
 * because the job is still there.
 */
export async function deleteJobs(
  jobs: readonly Job[],
  options: DeleteOptions,
  effects: DeleteEffects,
): Promise<DeletedJobs> {
  const { results, reason, waitMs, isForced } = options;
  const { queue, disk, deleteMetrics } = effects;
  const killed = await killJobs(jobs, { reason, waitMs }, effects);
  const running = new Set(killed.filter(({ became }) => became === 'stopping').map(({ id }) => id));
  const free = jobs.filter(({ id }) => isForced || !running.has(id));
  const folders = await Promise.all(free.map((job) => folderOf(job, results, disk)));
  const deleted: string[] = [];
  for (let at = 0; at < free.length && !effects.signal.aborted; at += AT_ONCE) {
    const ids = free.slice(at, at + AT_ONCE).map(({ id }) => id);
    await deleteMetrics(ids);
    for (const folder of folders.slice(at, at + AT_ONCE)) if (folder !== undefined) await disk.remove(folder);
    await queue.delete(ids);
    deleted.push(...ids);
  }
  const gone = new Set(deleted);
  const kept = jobs.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
  return { deleted, kept, packages: deleted.length === 0 ? [] : await queue.collectPackages() };
}

/** Undefined: there is none. The path from the queue is not trusted: the real folder must lie below the results. */
async function folderOf(job: Job, results: string, disk: Disk): Promise<string | undefined> {
  const folder = resolvePath(results, job.outputDir ?? jobFolder(job));
  const parent = dirName(folder);
  if (folder !== results && isInside(folder, results)) {
    if ((await disk.stat(parent)) === undefined) return undefined;
    if (isInside(await disk.realPath(parent), await disk.realPath(results))) return folder;
  }
  throw new NightmarkError('JOBS_ESCAPES', `The folder of job ${job.id} is not below ${results}: ${folder}`, {
    hint: 'Nothing was removed. Check whether --home, JOBMONITOR_RESULTS_DIR or a link in the results is wrong.',
  });
}
