import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Job, JobLogEntry } from '../core/job.ts';
import type { JobQueue, LogQuery } from '../core/job-queue.ts';
import { hasEnded } from '../core/shown-job.ts';

export type LogEvent =
  | { readonly type: 'entries'; readonly entries: readonly JobLogEntry[] }
  /** Dropped from the log; everything is in the files of the job. */
  | { readonly type: 'left-out'; readonly count: number }
  /** It waits, starts, or is retried. */
  | { readonly type: 'state'; readonly job: Job; readonly isNewAttempt: boolean }
  | { readonly type: 'ended'; readonly job: Job }
  | { readonly type: 'deleted' };

export type LogFilter = Pick<LogQuery, 'worker' | 'type' | 'tail'>;

const PAGE = 10_000;
const POLL_MS = 300;

/** All entries, sorted by time: several workers append independently. */
export async function readLogs(
  id: string,
  { tail, ...filter }: LogFilter,
  queue: Pick<JobQueue, 'logs'>,
): Promise<{ readonly entries: readonly JobLogEntry[]; readonly next: string; readonly leftOut: number }> {
  if (tail !== undefined) {
    const page = await queue.logs(id, { ...filter, tail, limit: tail });
    return { ...page, entries: byTime(page.entries) };
  }
  const entries: JobLogEntry[] = [];
  for (let after: string | undefined; ; ) {
    const page = await queue.logs(id, { ...filter, limit: PAGE, ...(after !== undefined && { after }) });
    for (const entry of page.entries) entries.push(entry);
    if (page.entries.length < PAGE) return { ...page, entries: byTime(entries) };
    after = page.next;
  }
}

/** Existing entries, then new ones until the job has ended; also while it waits, and across attempts. */
export async function* followLogs(
  id: string,
  filter: LogFilter,
  effects: {
    readonly queue: Pick<JobQueue, 'logs' | 'job'>;
    readonly clock: Pick<Clock, 'sleep'>;
    readonly signal: CancelSignal;
  },
): AsyncGenerator<LogEvent> {
  const { queue, clock, signal } = effects;
  const { tail: _, ...later } = filter;
  let last: Job | undefined = await queue.job(id);
  if (last !== undefined) yield { type: 'state', job: last, isNewAttempt: false };
  const first = await readLogs(id, filter, queue);
  if (first.leftOut > 0) yield { type: 'left-out', count: first.leftOut };
  yield { type: 'entries', entries: first.entries };
  let after = first.next;
  // Ends after a poll that found the job ended and nothing new: other ranks may print after rank 0 has finished.
  for (let quiet = 0; !signal.aborted; ) {
    const job = await queue.job(id);
    if (job === undefined) return yield { type: 'deleted' };
    const page = await queue.logs(id, { ...later, after, limit: PAGE });
    after = page.next;
    if (page.entries.length > 0) yield { type: 'entries', entries: byTime(page.entries) };
    const isNewAttempt = last !== undefined && job.attempt !== last.attempt;
    if (isNewAttempt || (job.status !== last?.status && !hasEnded(job.status)))
      yield { type: 'state', job, isNewAttempt };
    last = job;
    quiet = hasEnded(job.status) && page.entries.length === 0 ? quiet + 1 : 0;
    if (quiet > 0 && (quiet > 2 || job.workers === 1)) return yield { type: 'ended', job };
    if (page.entries.length < PAGE) await clock.sleep(POLL_MS, signal);
  }
}

/** Stable: lines of one worker with the same time keep their order. */
function byTime(entries: readonly JobLogEntry[]): readonly JobLogEntry[] {
  return [...entries].sort((a, b) => a.time - b.time);
}
