import type { Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { Job } from '../core/job.ts';
import { jobFiles, jobFolder, jobRunId } from '../core/job-folder.ts';
import type { Claim, ClaimKey, JobEnd } from '../core/job-queue.ts';
import { prepareCode } from './code-package.ts';
import { isOneAllocation, type RankRequest, runRank } from './run-rank.ts';
import type { WorkEffects, WorkOptions } from './work-effects.ts';

/** Poll interval of a rank that waits for the others. */
const BARRIER_MS = 250;

export interface ClaimedWork {
  readonly claim: Claim;
  /** All ranks that this worker holds: one, or all of a job on a cluster. */
  readonly keys: readonly ClaimKey[];
  readonly executor: Executor;
  /** Aborted when the attempt is over in the queue, or the worker is stopped. */
  readonly signal: CancelSignal;
  /** Whether the attempt is over in the queue. A worker that was stopped still reports the end of its job. */
  readonly isOver: () => boolean;
  /** Cluster references by rank, of an adopted job. */
  readonly refs?: ReadonlyMap<number, string>;
}

/** Everything from a claim to the end of the job: code, barrier, program, end. */
export async function runClaim(
  work: ClaimedWork,
  options: WorkOptions,
  effects: WorkEffects,
): Promise<string> {
  const { claim } = work;
  const { queue, report } = effects;
  const end = await runToEnd(work, options, effects);
  if (end === undefined || work.isOver()) {
    // A stopped worker leaves jobs that have not started to others.
    if (work.isOver() || !work.signal.aborted) await release(work, effects);
    return 'is over for this worker';
  }
  // FINISHED needs all ranks; any other end needs one.
  const keys = end.status === 'FINISHED' ? [...work.keys].reverse() : [claim];
  let isTaken = true;
  for (const key of keys) isTaken = (await queue.end(key, end)) && isTaken;
  if (!isTaken)
    report({ type: 'problem', id: claim.jobId, message: 'it had ended before this worker reported it' });
  return end.reason ?? end.status.toLowerCase();
}

/** Whoever cancelled the job waits for this: its files may be removed now. */
async function release({ keys }: ClaimedWork, { queue }: WorkEffects): Promise<void> {
  for (const key of keys) await queue.end(key, { status: 'CANCELED' });
}

async function runToEnd(
  work: ClaimedWork,
  options: WorkOptions,
  effects: WorkEffects,
): Promise<JobEnd | undefined> {
  try {
    const end = await runAttempt(work, options, effects);
    // Only what was stopped together with this worker waits for another one.
    if (end?.status !== 'CANCELED' || options.onStop === 'cancel' || !work.signal.aborted) return end;
    return { ...end, status: 'CREATED' };
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return { status: 'FAILED', reason: messageOf(error) };
  }
}

async function runAttempt(
  work: ClaimedWork,
  options: WorkOptions,
  effects: WorkEffects,
): Promise<JobEnd | undefined> {
  const { claim, keys, executor, signal } = work;
  const { disk, queue, report, worker } = effects;
  const outputDir = jobFolder(claim.job);
  const folder = joinPath(options.results, outputDir);
  const job: Job = { ...claim.job, outputDir };
  if (!work.refs) {
    await executor.ready(job.place.container);
    if (claim.rank === 0) {
      // A worker may have died after it submitted a job to the cluster and before it stored the reference.
      if (job.attempt > 1 && executor.capabilities.remote)
        await executor.endLeftovers(jobRunId({ id: job.id, attempt: job.attempt - 1 }));
      await disk.makeDir(folder);
      await prepareCode(job, jobFiles(folder, 0).code, effects);
      await queue.report(claim, { environment: { ...effects.facts, executor: executor.id } });
    }
    if (!(await awaitBarrier(work, effects))) return undefined;
    if (claim.rank === 0) {
      if (!(await queue.begin(claim, { host: worker.host, outputDir }))) return undefined;
      report({ type: 'started', job, folder });
    }
  }
  const isOneCommand = executor.capabilities.remote && isOneAllocation(job);
  const started = isOneCommand ? keys.slice(0, 1) : keys;
  const requests = started.map((key): RankRequest => {
    const ref = work.refs?.get(key.rank);
    const others = isOneCommand ? keys.slice(1) : [];
    return { job, claim: key, others, folder, executor, signal, ...(ref !== undefined && { ref }) };
  });
  const ends = await Promise.all(requests.map((request) => runRank(request, options, effects)));
  return (
    ends.find(({ status }) => status === 'FAILED') ??
    ends.find(({ status }) => status === 'CANCELED') ??
    ends[0]
  );
}

/** All ranks of a job start together. */
async function awaitBarrier(
  { keys, claim, signal }: ClaimedWork,
  { queue, clock }: WorkEffects,
): Promise<boolean> {
  let arrived: number | undefined = 0;
  for (const key of keys) arrived = await queue.arrive(key, 'jobstart');
  while (arrived !== undefined && arrived < claim.job.workers) {
    if (signal.aborted) return false;
    await clock.sleep(BARRIER_MS, signal);
    arrived = await queue.arrive(claim, 'jobstart');
  }
  return arrived !== undefined;
}
