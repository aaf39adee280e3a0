import { messageOf } from '../../core/errors.ts';
import type { Executor } from '../../core/ports/executor.ts';
import type { JobService } from '../../server/jobs/effects.ts';
import { adapterIds, loadAdapter } from '../adapters.ts';
import type { CliContext } from '../context.ts';
import { type JobHome, openJobHome } from '../job/open-queue.ts';
import { isAlive } from '../job/worker-identity.ts';
import { codeComparer } from './code-comparer.ts';
import { tellFailure } from './tell-failure.ts';

/** As workers do it: see src/app/jobs/work.ts. */
const LOST_AFTER_MS = 60_000;
const MOST_LOST = 3;
const REQUEUE_EVERY_MS = 5_000;

export interface OpenJobs {
  readonly service: JobService;
  close(): Promise<void>;
}

/** Opens the queue of a home, and gives jobs back to it whose workers are gone. Without it the pages are served anyway. */
export async function openJobs(home: string, context: CliContext): Promise<OpenJobs | undefined> {
  let jobs: JobHome;
  try {
    jobs = await openJobHome({ home }, context);
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
    },
    async close() {
      await stopRequeuing();
      await queue.close();
    },
  };
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
