import type { Command, Execution, Executor, Exit } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type Job, shortId } from '../core/job.ts';
import { jobEnvironment, jobFiles } from '../core/job-folder.ts';
import type { ClaimKey, JobEnd } from '../core/job-queue.ts';
import { RankFollower } from './rank-follower.ts';
import type { WorkEffects, WorkOptions } from './work-effects.ts';

export interface RankRequest {
  readonly job: Job;
  readonly claim: ClaimKey;
  /** Ranks that the same command starts. */
  readonly others: readonly ClaimKey[];
  /** Absolute output folder. */
  readonly folder: string;
  readonly executor: Executor;
  /** Cluster reference of a rank that an earlier process started. */
  readonly ref?: string;
  readonly signal: CancelSignal;
}

/** Runs one rank to its end, or attaches to it. Returns how it ended; the caller stores it. */
export async function runRank(
  request: RankRequest,
  options: WorkOptions,
  effects: WorkEffects,
): Promise<JobEnd> {
  const { job, claim, folder } = request;
  const files = jobFiles(folder, claim.rank);
  const follower = new RankFollower(job, claim, { eventsFile: files.events, effects });
  let exit: Exit;
  let note: string | undefined;
  try {
    const execution = await startOrAttach(request, { follower, options, effects });
    if (execution.ref) void saveRef(execution.ref, request, effects);
    follower.start();
    ({ exit, note } = await execution.wait());
    await follower.stop();
  } catch (error) {
    await follower.stop();
    if (!(error instanceof NightmarkError)) throw error;
    exit = { type: 'not-started', reason: messageOf(error) };
  }
  return { ...outcomeOf(exit, { note, cancelledBy: follower.cancelledBy }), exit, ...follower.exception };
}

interface Around {
  readonly follower: RankFollower;
  readonly options: WorkOptions;
  readonly effects: WorkEffects;
}

async function startOrAttach(
  request: RankRequest,
  { follower, options, effects }: Around,
): Promise<Execution> {
  const { job, claim, folder, executor, ref, signal } = request;
  const isRemote = executor.capabilities.remote;
  const command = {
    ...jobCommand({ job, rank: claim.rank, folder, isRemote }, options, effects),
    onOutput: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => follower.takeOutput(stream, bytes),
  };
  if (ref === undefined) {
    await resetFiles(jobFiles(folder, claim.rank), job, effects);
    return executor.start(command, signal);
  }
  const found = await executor.attach?.(ref, command, signal);
  if (found) return found;
  throw new NightmarkError('JOBS_VANISHED', `${executor.title} no longer knows ${ref}.`, {
    hint: 'It ended while no worker followed it, and its record is gone. See its files.',
  });
}

/** Renames the files of an earlier attempt, so that its output is kept. */
async function resetFiles(
  files: ReturnType<typeof jobFiles>,
  job: Job,
  { disk }: Pick<WorkEffects, 'disk'>,
): Promise<void> {
  for (const file of [files.output, files.events]) {
    if (await disk.stat(file)) await disk.rename(file, `${file}.attempt${job.attempt - 1}`);
  }
  await disk.writeText(files.overrides, `${JSON.stringify(job.overrides)}\n`);
}

async function saveRef(
  ref: Promise<string | undefined>,
  { claim, others, job }: RankRequest,
  { queue, report }: WorkEffects,
): Promise<void> {
  try {
    const name = await ref;
    if (name === undefined) return;
    for (const key of [claim, ...others]) await queue.report(key, { ref: name });
  } catch (error) {
    report({ type: 'problem', id: job.id, message: messageOf(error) });
  }
}

interface EndNotes {
  /** The reason that the cluster gives; appended to ours. */
  readonly note: string | undefined;
  readonly cancelledBy: string | undefined;
}

function outcomeOf(exit: Exit, { note, cancelledBy }: EndNotes): Pick<JobEnd, 'status' | 'reason'> {
  const outcome = outcomeOfExit(exit, cancelledBy);
  return note === undefined
    ? outcome
    : { ...outcome, reason: [outcome.reason, note].filter(Boolean).join(' ') };
}

function outcomeOfExit(exit: Exit, cancelledBy: string | undefined): Pick<JobEnd, 'status' | 'reason'> {
  switch (exit.type) {
    case 'code':
      if (exit.code === 0) return { status: 'FINISHED' };
      return cancelledBy === undefined
        ? { status: 'FAILED', reason: `The program ended with exit code ${exit.code}.` }
        : { status: 'CANCELED', reason: `The program was asked to stop by ${cancelledBy}.` };
    case 'signal':
      return { status: 'FAILED', reason: exit.reason ?? `The program was ended by ${exit.signal}.` };
    case 'timeout':
      return { status: 'FAILED', reason: `The program took longer than ${exit.afterMs / 1000} s.` };
    case 'cancelled':
      return { status: 'CANCELED', reason: exit.reason ?? 'The worker was asked to stop.' };
    case 'not-started':
      return { status: 'FAILED', reason: `The program could not be started: ${exit.reason}` };
  }
}

/** Variables of the worker that jobs must not see. */
const PRIVATE_VARIABLES = ['NIGHTMARK_POSTGRES_URL', 'PGPASSWORD', 'NIGHTMARK_TOKEN'];
/** Variables that are passed to a cluster: its nodes have their own environment. */
const REMOTE_VARIABLES = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'SHELL', 'TERM', 'DATA'];

export interface JobPlace {
  readonly job: Job;
  readonly rank: number;
  /** Absolute output folder. */
  readonly folder: string;
  readonly isRemote: boolean;
}

/** All ranks are one command, which the cluster starts once per rank. */
export function isOneAllocation({ place, workers }: Job): boolean {
  return place.slurm?.isMpi === true && workers > 1;
}

/** The command of one rank. */
function jobCommand(
  { job, rank, folder, isRemote }: JobPlace,
  { results, kitDir }: WorkOptions,
  { env, worker }: WorkEffects,
): Omit<Command, 'onOutput'> {
  const files = jobFiles(folder, rank);
  const { user, project, experiment, name, id, resources, place } = job;
  const kept = Object.entries(env).filter(([key]) =>
    isRemote ? REMOTE_VARIABLES.includes(key) : !PRIVATE_VARIABLES.includes(key),
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
