import type { Job } from '../core/job.ts';
import type { Claim } from '../core/job-queue.ts';
import type { WorkEffects } from './work-effects.ts';

/** Silence after which a worker on another machine has lost what it followed. */
const LOST_AFTER_MS = 60_000;
const MOST_AT_ONCE = 1_000;

interface Adopted {
  readonly claim: Claim;
  readonly refs: ReadonlyMap<number, string>;
}

/** Jobs that run on a cluster outlive the process that followed them: this one goes on with those that nobody follows. */
export async function adoptJobs(
  executors: readonly string[],
  mine: ReadonlySet<string>,
  effects: Pick<WorkEffects, 'queue' | 'worker' | 'isAlive'>,
): Promise<readonly Adopted[]> {
  const { queue, worker } = effects;
  const [running, scheduled] = await Promise.all([
    queue.list({ status: 'UNRESPONSIVE', limit: MOST_AT_ONCE }),
    queue.list({ status: 'RUNNING', limit: MOST_AT_ONCE }),
  ]);
  const adopted: Adopted[] = [];
  for (const job of [...running, ...scheduled]) {
    if (!executors.includes(job.executor) || mine.has(job.id) || !isForsaken(job, effects)) continue;
    const refs = new Map(
      job.ranks.flatMap(({ rank, ref }) => (ref === undefined ? [] : [[rank, ref] as const])),
    );
    const [first] = job.ranks;
    if (refs.size < job.workers || first === undefined) continue;
    const { host, pid, incarnation } = first;
    const key = { jobId: job.id, attempt: job.attempt, rank: 0 };
    if (await queue.takeOver({ ...key, worker: { host, pid, incarnation } }, worker))
      adopted.push({ claim: { ...key, worker, job }, refs });
  }
  return adopted;
}

function isForsaken({ ranks }: Job, { queue, isAlive }: Pick<WorkEffects, 'queue' | 'isAlive'>): boolean {
  return ranks.every((rank) => {
    const known = isAlive(rank);
    return known === undefined ? queue.now() - rank.heartbeatAt > LOST_AFTER_MS : !known;
  });
}
