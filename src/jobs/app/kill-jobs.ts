import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Worker } from '../../platform/core/lock.ts';
import type { Job, JobRank, JobStatus } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';
import { hasEnded } from '../core/shown-job.ts';

export interface KillEffects {
  readonly queue: JobQueue;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: CancelSignal;
  /** Undefined for workers on other machines. */
  readonly isAlive: (worker: Worker) => boolean | undefined;
}

export interface KillOptions {
  readonly reason: string;
  /** How long to wait for workers; 0: not at all. */
  readonly waitMs: number;
}

export interface KilledJob {
  readonly id: string;
  readonly was: JobStatus;
  /**
   * `stopped`: nothing of it runs any more. `stopping`: it is cancelled, and its worker has not released it yet.
   * `had-ended`: it had ended before. `gone`: it was deleted.
   */
  readonly became: 'stopped' | 'stopping' | 'had-ended' | 'gone';
}

const POLL_MS = 200;
/** A worker without heartbeats for so long is lost, as for the queue. */
const GONE_AFTER_MS = 60_000;
const AT_ONCE = 500;

/** Cancels jobs, and waits until their workers have ended what runs. */
export async function killJobs(
  jobs: readonly Job[],
  { reason, waitMs }: KillOptions,
  effects: KillEffects,
): Promise<readonly KilledJob[]> {
  const { queue, clock, signal } = effects;
  const open = jobs.filter(({ status }) => !hasEnded(status)).map(({ id }) => id);
  const answers = new Map((await queue.cancel(open, reason)).map((answer) => [answer.id, answer]));
  const waiting = new Set(open.filter((id) => answers.get(id)?.isCancelled));
  const until = queue.now() + waitMs;
  for (;;) {
    for (const id of await releasedJobs([...waiting], effects)) waiting.delete(id);
    if (waiting.size === 0 || queue.now() >= until || signal.aborted) break;
    await clock.sleep(POLL_MS, signal);
  }
  return jobs.map(({ id, status }) => {
    const answer = answers.get(id);
    if (hasEnded(status)) return { id, was: status, became: 'had-ended' };
    if (answer === undefined) return { id, was: status, became: 'gone' };
    if (!answer.isCancelled) return { id, was: answer.was, became: 'had-ended' };
    return { id, was: answer.was, became: waiting.has(id) ? 'stopping' : 'stopped' };
  });
}

/** Jobs of which nothing runs any more. */
async function releasedJobs(
  ids: readonly string[],
  { queue, isAlive }: KillEffects,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const jobs = new Map((await queue.list({ ids: some, limit: AT_ONCE })).map((job) => [job.id, job]));
    const isGone = (rank: JobRank) =>
      rank.isDone === true || isAlive(rank) === false || queue.now() - rank.heartbeatAt > GONE_AFTER_MS;
    found.push(...some.filter((id) => jobs.get(id)?.ranks.every(isGone) ?? true));
  }
  return found;
}
