import { tellFailure } from '../../dashboard/cli/tell-failure.ts';
import type { Executor } from '../../executors/core/executor.ts';
import { homeLayout } from '../../home/core/layout.ts';
import { type LateQueue, lateQueue } from '../../jobs/app/late-queue.ts';
import { type JobHome, jobPlaces, openJobHome } from '../../jobs/cli/open-queue.ts';
import type { JobService } from '../../jobs/server/effects.ts';
import { openWithRetry } from '../../metrics/app/lazy-engine.ts';
import { adapterIds, loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { isAlive } from '../../platform/cli/worker-identity.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { codeComparer } from './code-comparer.ts';

/** As workers do it: see src/jobs/app/work.ts. */
const LOST_AFTER_MS = 60_000;
const MOST_LOST = 3;
const REQUEUE_EVERY_MS = 5_000;

export interface OpenJobs {
  readonly service: JobService;
  close(): Promise<void>;
}

/**
 * Opens the queue of a home, and gives jobs back to it whose workers are gone. A queue on a server that is away is tried again
 * while the pages are served; undefined, and told, when that would not help.
 */
export async function openJobs(home: string, context: CliContext): Promise<OpenJobs | undefined> {
  let jobs: JobHome;
  const closing = new AbortController();
  try {
    jobs = await openSoonOrLater(home, context, closing.signal);
  } catch (error) {
    tellFailure(error, 'No jobs are shown', context);
    return undefined;
  }
  const { queue, results } = jobs;
  const stopRequeuing = requeueNowAndThen(jobs, await localExecutors(), context);
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

/** A queue in a file tells by the file, and by what is not yet in it. */
async function fileVersion(file: string, { disk }: CliContext): Promise<string> {
  const facts = await Promise.all([disk.stat(file), disk.stat(`${file}-wal`)]);
  return facts.map((one) => (one ? `${one.modifiedAt} ${one.size}` : '')).join(' ');
}

/** Longer than a server takes that is there, shorter than people wait. */
const SOON_MS = 2_000;

/** Whoever opens the pages does not wait for a database on another machine. */
async function openSoonOrLater(home: string, context: CliContext, signal: AbortSignal): Promise<JobHome> {
  const { store, results } = await jobPlaces({ home }, context);
  if (store === 'sqlite') return openJobHome({ home }, context);
  const late = lateQueue(store, () => context.clock.now());
  const open = async () => late.isHere((await openJobHome({ home }, context)).queue);
  const first = open().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const waited = await Promise.race([
    first,
    context.clock.sleep(SOON_MS, signal).then(() => 'waiting' as const),
  ]);
  if (waited === undefined) return { home, queue: late.queue, results };
  if (waited !== 'waiting' && !mayPass(waited.error)) throw waited.error;
  context.stderr.write(
    'The queue of jobs is not there yet; the pages are served meanwhile, and it is tried again.\n',
  );
  void goOn({ first, open, late }, context, signal);
  return { home, queue: late.queue, results };
}

interface Opening {
  readonly first: Promise<{ readonly error: unknown } | undefined>;
  readonly open: () => Promise<void>;
  readonly late: LateQueue;
}

async function goOn({ first, open, late }: Opening, context: CliContext, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown) => {
    late.isAway(messageOf(error));
    if (!mayPass(error))
      context.stderr.write(`The queue of jobs is not tried any more: ${messageOf(error)}\n`);
    return mayPass(error);
  };
  const ended = await first;
  if (ended !== undefined) {
    if (!failed(ended.error)) return;
    await openWithRetry({ open, failed }, { clock: context.clock, signal });
  }
  if (!signal.aborted) context.stderr.write('The queue of jobs is open now.\n');
}

/** Not what is written wrongly, nor what is ours. */
function mayPass(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'JOBS_POSTGRES_UNREACHABLE';
}

/** What runs on a cluster may still run there: only a worker can ask. */
async function localExecutors(): Promise<readonly string[]> {
  const ids = adapterIds('executors');
  const all = await Promise.all(ids.map((id) => loadAdapter<Executor>('executors', id)));
  return ids.filter((_, at) => all[at]?.capabilities.remote === false);
}

function requeueNowAndThen(
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
      // Told once: a server that is away is away for many looks.
      const problem = messageOf(error);
      if (problem !== lastProblem) stderr.write(`Lost jobs cannot be looked for: ${problem}\n`);
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
