import type { Execution, Executor, Exit } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { Job } from '../core/job.ts';
import { jobFiles } from '../core/job-folder.ts';
import type { ClaimKey, JobEnd } from '../core/job-queue.ts';
import { RankFollower } from './follow-rank.ts';
import { jobCommand } from './job-command.ts';
import type { WorkEffects, WorkOptions } from './work-effects.ts';

export interface RankRequest {
  readonly job: Job;
  readonly claim: ClaimKey;
  /** Ranks that the same command starts. */
  readonly others: readonly ClaimKey[];
  /** Absolute output folder. */
  readonly folder: string;
  readonly executor: Executor;
  /** How the cluster calls what an earlier process of ours started. */
  readonly ref?: string;
  readonly signal: CancelSignal;
}

/** Runs one rank to its end, or goes on following it; says how it ended, and does not write that down. */
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
    if (execution.ref) void keepRef(execution.ref, request, effects);
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
    await setBack(jobFiles(folder, claim.rank), job, effects);
    return executor.start(command, signal);
  }
  const found = await executor.attach?.(ref, command, signal);
  if (found) return found;
  throw new NightmarkError('JOBS_VANISHED', `${executor.title} knows nothing of ${ref} any more.`, {
    hint: 'It ended while nobody looked, and its record is gone. Its files may tell more.',
  });
}

/** The files of an earlier attempt make room; what it printed is kept beside. */
async function setBack(
  files: ReturnType<typeof jobFiles>,
  job: Job,
  { disk }: Pick<WorkEffects, 'disk'>,
): Promise<void> {
  for (const file of [files.output, files.events]) {
    if (await disk.stat(file)) await disk.rename(file, `${file}.attempt${job.attempt - 1}`);
  }
  await disk.writeText(files.overrides, `${JSON.stringify(job.overrides)}\n`);
}

async function keepRef(
  ref: Promise<string | undefined>,
  { claim, others, job }: RankRequest,
  { queue, report }: WorkEffects,
): Promise<void> {
  try {
    const known = await ref;
    if (known === undefined) return;
    for (const key of [claim, ...others]) await queue.report(key, { ref: known });
  } catch (error) {
    report({ type: 'problem', id: job.id, message: messageOf(error) });
  }
}

interface Told {
  /** What the cluster said of it; comes after what we know. */
  readonly note: string | undefined;
  readonly cancelledBy: string | undefined;
}

function outcomeOf(exit: Exit, { note, cancelledBy }: Told): Pick<JobEnd, 'status' | 'reason'> {
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
        : { status: 'CANCELED', reason: `The program was told to stop by ${cancelledBy}.` };
    case 'signal':
      return { status: 'FAILED', reason: exit.reason ?? `The program was ended by ${exit.signal}.` };
    case 'timeout':
      return { status: 'FAILED', reason: `The program took longer than ${exit.afterMs / 1000} s.` };
    case 'cancelled':
      return { status: 'CANCELED', reason: exit.reason ?? 'The worker was told to stop.' };
    case 'not-started':
      return { status: 'FAILED', reason: `The program could not be started: ${exit.reason}` };
  }
}
