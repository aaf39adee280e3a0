import type { Command } from '../../executors/core/executor.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Job } from '../core/job.ts';
import { jobEnvironment } from '../core/job-environment.ts';
import { jobFiles } from '../core/job-folder.ts';
import { shortId } from '../core/job-id.ts';
import type { WorkEffects, WorkOptions } from './work-effects.ts';

/** Of our own environment these are no business of a job's. */
const OURS_ALONE = ['NIGHTMARK_POSTGRES_URL', 'PGPASSWORD', 'NIGHTMARK_TOKEN'];
/** What a command on a cluster takes along from here: its nodes have an environment of their own. */
const EVERYWHERE = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'SHELL', 'TERM', 'DATA'];

export interface JobPlace {
  readonly job: Job;
  readonly rank: number;
  /** Absolute output folder. */
  readonly folder: string;
  readonly isRemote: boolean;
}

/** All ranks of the job are one command, which the cluster starts as often as there are ranks. */
export function isOneAllocation({ place, workers }: Job): boolean {
  return place.slurm?.isMpi === true && workers > 1;
}

/** The command that one rank of a job is. */
export function jobCommand(
  { job, rank, folder, isRemote }: JobPlace,
  { results, kitDir }: WorkOptions,
  { env, worker }: WorkEffects,
): Omit<Command, 'onOutput'> {
  const files = jobFiles(folder, rank);
  const { user, project, experiment, name, id, resources, place } = job;
  const kept = Object.entries(env).filter(([key]) =>
    isRemote ? EVERYWHERE.includes(key) : !OURS_ALONE.includes(key),
  );
  const own = jobEnvironment(job, { folder, results, rank, host: worker.host, kitDir });
  return {
    argv: programOf(job, kitDir),
    cwd: job.code ? files.code : folder,
    env: { ...Object.fromEntries(kept), ...telegraf(env), ...own },
    logFile: files.output,
    title: `${user}-${shortId(id)}`,
    labels: { user, project, experiment, job: name, job_id: id },
    resources,
    place,
    ...(isRemote && isOneAllocation(job) && { tasks: job.workers }),
    ...(resources.timeMs !== undefined && { timeoutMs: resources.timeMs }),
    ...(place.container && { container: { ...place.container, folders: shared(folder, kitDir) } }),
  };
}

function programOf({ program }: Job, kitDir: string): readonly [string, ...string[]] {
  if (program.type === 'command') return program.argv;
  return ['python3', '-u', joinPath(kitDir, 'nightmark_job.py'), program.path];
}

/** Where the scripts of the first monitor sent their metrics: `nightmark serve` listens there. */
function telegraf(env: WorkEffects['env']): Record<string, string> {
  return {
    JOBMONITOR_TELEGRAF_HOST: env['JOBMONITOR_TELEGRAF_HOST'] ?? 'localhost',
    JOBMONITOR_TELEGRAF_PORT: env['JOBMONITOR_TELEGRAF_PORT'] ?? '8092',
  };
}

function shared(folder: string, kitDir: string) {
  return [
    { path: folder, isReadOnly: false },
    { path: kitDir, isReadOnly: true },
  ];
}
