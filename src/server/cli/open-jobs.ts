import type { Executor } from '../../executors/core/executor.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { type ComparedCode, compareCode } from '../../jobs/app/compare-code.ts';
import { type LazyQueue, lazyQueue } from '../../jobs/app/lazy-queue.ts';
import { type JobHome, jobPlaces, openJobHome } from '../../jobs/cli/open-queue.ts';
import type { Job } from '../../jobs/core/job.ts';
import type { JobService } from '../../jobs/server/job-service.ts';
import { openWithRetry } from '../../metrics/app/lazy-engine.ts';
import { adapterIds, loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { reportFailure } from '../../platform/cli/report-failure.ts';
import { isAlive } from '../../platform/cli/worker-identity.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';

/** As workers do it: see src/jobs/app/work.ts. */
const LOST_AFTER_MS = 60_000;
const MOST_LOST = 3;
const REQUEUE_EVERY_MS = 5_000;

export interface OpenJobs {
  readonly service: JobService;
  close(): Promise<void>;
}

/**
 * Opens the queue of a home, and gives jobs back to it whose workers are gone. A queue on an unavailable server is retried while the
 * pages are served; undefined, and reported, when that would not help.
 */
export async function openJobs(home: string, context: CliContext): Promise<OpenJobs | undefined> {
  let jobs: JobHome;
  const closing = new AbortController();
  try {
    jobs = await openWithRetries(home, context, closing.signal);
  } catch (error) {
    reportFailure(error, 'No jobs are shown', context);
    return undefined;
  }
  const { queue, results } = jobs;
  const stopRequeuing = requeuePeriodically(jobs, await localExecutors(), context);
  return {
    service: {
      ...{ queue, results, clock: context.clock, randomSeed: () => context.randomSeed() },
      isAlive: (worker) => isAlive(worker, context.hostName),
      compareCode: codeComparer(jobs, context),
      ...(queue.id === 'sqlite' && { version: () => fileVersion(homeLayout(home).jobs, context) }),
    },
    async close() {
      closing.abort();
      await stopRequeuing();
      await queue.close();
    },
  };
}

/** A queue in a file changes with the file or its write-ahead log. */
async function fileVersion(file: string, { disk }: CliContext): Promise<string> {
  const facts = await Promise.all([disk.stat(file), disk.stat(`${file}-wal`)]);
  return facts.map((one) => (one ? `${one.modifiedAt} ${one.size}` : '')).join(' ');
}

/** Longer than an available server needs, shorter than people wait. */
const FIRST_WAIT_MS = 2_000;

/** The pages do not wait for a database on another machine. */
async function openWithRetries(home: string, context: CliContext, signal: AbortSignal): Promise<JobHome> {
  const { store, results } = await jobPlaces({ home }, context);
  if (store === 'sqlite') return openJobHome({ home }, context);
  const lazy = lazyQueue(store, () => context.clock.now());
  const open = async () => lazy.setQueue((await openJobHome({ home }, context)).queue);
  const first = open().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const waited = await Promise.race([
    first,
    context.clock.sleep(FIRST_WAIT_MS, signal).then(() => 'waiting' as const),
  ]);
  if (waited === undefined) return { home, queue: lazy.queue, results };
  if (waited !== 'waiting' && !isTransient(waited.error)) throw waited.error;
  context.stderr.write(
    'The queue of jobs is unavailable; the pages are served meanwhile, and it is retried.\n',
  );
  void retryOpening({ first, open, lazy }, context, signal);
  return { home, queue: lazy.queue, results };
}

interface Opening {
  readonly first: Promise<{ readonly error: unknown } | undefined>;
  readonly open: () => Promise<void>;
  readonly lazy: LazyQueue;
}

async function retryOpening(
  { first, open, lazy }: Opening,
  context: CliContext,
  signal: AbortSignal,
): Promise<void> {
  const failed = (error: unknown) => {
    lazy.setUnavailable(messageOf(error));
    if (!isTransient(error))
      context.stderr.write(`The queue of jobs is no longer retried: ${messageOf(error)}\n`);
    return isTransient(error);
  };
  const ended = await first;
  if (ended !== undefined) {
    if (!failed(ended.error)) return;
    await openWithRetry({ open, failed }, { clock: context.clock, signal });
  }
  if (!signal.aborted) context.stderr.write('The queue of jobs is available now.\n');
}

/** Neither invalid settings nor bugs. */
function isTransient(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'JOBS_POSTGRES_UNREACHABLE';
}

/** What runs on a cluster may still run there: only a worker can check. */
async function localExecutors(): Promise<readonly string[]> {
  const ids = adapterIds('executors');
  const all = await Promise.all(ids.map((id) => loadAdapter<Executor>('executors', id)));
  return ids.filter((_, at) => all[at]?.capabilities.remote === false);
}

function requeuePeriodically(
  { queue }: JobHome,
  executors: readonly string[],
  { hostName, stderr }: CliContext,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let lastProblem = '';
  const requeue = async () => {
    try {
      const lost = await queue.requeueLost({
        ...{ executors, afterMs: LOST_AFTER_MS, limit: MOST_LOST },
        isAlive: (worker) => isAlive(worker, hostName),
      });
      for (const { id, becomes } of lost)
        stderr.write(`Job ${id} lost its worker and ${becomes === 'CREATED' ? 'waits again' : 'failed'}.\n`);
      lastProblem = '';
    } catch (error) {
      // Reported once: an unavailable server stays so for many attempts.
      const problem = messageOf(error);
      if (problem !== lastProblem) stderr.write(`Lost jobs cannot be found: ${problem}\n`);
      lastProblem = problem;
    }
  };
  const again = () => {
    running ??= requeue().finally(() => {
      running = undefined;
    });
  };
  again();
  const timer = setInterval(again, REQUEUE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Compares code of jobs, one pair after the other, so that many requests fill neither disk nor memory. */
function codeComparer(
  { queue, home }: JobHome,
  { disk, env, signal, processId }: CliContext,
): (jobs: readonly [Job, Job]) => Promise<ComparedCode | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  const staging = joinPath(homeLayout(home).staging, `page-diff-${processId}`);
  return (jobs) => {
    const next = last.then(async () => {
      const { tarArchiver } = await import('../../platform/adapters/tar/tar.ts');
      return compareCode(jobs, staging, { queue, disk, env, signal, archiver: tarArchiver });
    });
    last = next.catch(() => {});
    return next;
  };
}
