import type { Executor } from '../../executors/core/executor.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { Worker } from '../../platform/core/lock.ts';
import type { Job } from '../core/job.ts';
import type { Claim, ClaimKey } from '../core/job-queue.ts';
import { type ClaimedWork, runClaim } from './run-claim.ts';
import type { Canceller, WorkEffects, WorkOptions } from './work-effects.ts';

/** The answer to a heartbeat says whether to continue: how soon a cancelled job stops. */
const HEARTBEAT_MS = 2_000;
const REQUEUE_EVERY_MS = 5_000;
/** A worker on another machine without heartbeats for so long is lost. */
const LOST_AFTER_MS = 60_000;
const MAX_LOST = 3;
/** Pauses between polls of an empty queue: short at first, so that a new job starts soon. */
const IDLE_MS = [20, 50, 100, 100, 200] as const;

export interface WorkCounts {
  readonly claimed: number;
  readonly failed: number;
}

interface Running {
  readonly keys: readonly ClaimKey[];
  readonly canceller: Canceller;
  readonly isRemote: boolean;
  isOver: boolean;
  readonly done: Promise<void>;
}

/** Takes jobs from the queue and runs them, until aborted, or until there are none when draining. */
export async function work(options: WorkOptions, effects: WorkEffects): Promise<WorkCounts> {
  const worker = new WorkerLoop(options, effects);
  return worker.run();
}

class WorkerLoop {
  readonly #options: WorkOptions;
  readonly #effects: WorkEffects;
  readonly #running = new Set<Running>();
  readonly #local: readonly string[];
  readonly #remote: readonly string[];
  readonly #done: Canceller;
  #claimed = 0;
  #failed = 0;
  #requeuedAt = Number.NEGATIVE_INFINITY;
  #wake = () => {};

  constructor(options: WorkOptions, effects: WorkEffects) {
    this.#options = options;
    this.#effects = effects;
    this.#done = effects.canceller();
    const all = [...effects.executors.values()];
    const idsOf = (isRemote: boolean) =>
      all.filter(({ capabilities }) => capabilities.remote === isRemote).map(({ id }) => id);
    this.#local = idsOf(false);
    this.#remote = idsOf(true);
  }

  async run(): Promise<WorkCounts> {
    const { signal } = this.#effects;
    const stop = () => {
      for (const one of this.#running) one.canceller.abort();
      this.#wake();
    };
    signal.addEventListener('abort', stop, { once: true });
    const beating = this.#beat();
    try {
      await this.#loop();
    } finally {
      signal.removeEventListener('abort', stop);
      while (this.#running.size > 0) await Promise.all([...this.#running].map(({ done }) => done));
      this.#done.abort();
      await beating;
    }
    return { claimed: this.#claimed, failed: this.#failed };
  }

  async #loop(): Promise<void> {
    let idle = 0;
    while (!this.#effects.signal.aborted) {
      const got = await this.#safely(async () => {
        await this.#requeue();
        return this.#fill();
      });
      if (got) idle = 0;
      else if (this.#options.isDraining && this.#running.size === 0 && got === false) return;
      await this.#rest(IDLE_MS[Math.min(idle, IDLE_MS.length - 1)] as number);
      idle++;
    }
  }

  /** The queue may be unavailable for a while: running jobs continue, and the worker retries. */
  async #safely(turn: () => Promise<boolean>): Promise<boolean | undefined> {
    try {
      return await turn();
    } catch (error) {
      this.#effects.report({ type: 'problem', message: messageOf(error) });
      await this.#rest(1_000);
      return undefined;
    }
  }

  async #rest(ms: number): Promise<void> {
    const woken = this.#effects.canceller();
    this.#wake = () => woken.abort();
    if (this.#effects.signal.aborted) return;
    await this.#effects.clock.sleep(ms, woken.signal);
  }

  /** Claims jobs while there are free slots. */
  async #fill(): Promise<boolean> {
    let got = false;
    for (const isRemote of [false, true]) {
      const executors = isRemote ? this.#remote : this.#local;
      const room = isRemote ? this.#options.remoteSlots : this.#options.slots;
      while (executors.length > 0 && this.#count(isRemote) < room && !this.#effects.signal.aborted) {
        const claim = await this.#claim(executors, isRemote);
        if (!claim) break;
        got = true;
        this.#start(claim, { isRemote });
      }
    }
    return got;
  }

  #count(isRemote: boolean): number {
    return [...this.#running].filter((one) => one.isRemote === isRemote).length;
  }

  #claim(executors: readonly string[], isWhole: boolean): Promise<Claim | undefined> {
    const { ids, project, rank } = this.#options;
    return this.#effects.queue.claim({
      worker: this.#effects.worker,
      executors,
      isWhole,
      ...(ids && { ids }),
      ...(project !== undefined && { project }),
      ...(rank !== undefined && !isWhole && { rank }),
    });
  }

  #start(claim: Claim, { isRemote, refs }: { isRemote: boolean; refs?: ReadonlyMap<number, string> }): void {
    const { canceller: makeCanceller, report } = this.#effects;
    const canceller = makeCanceller();
    const ranks = isRemote ? claim.job.workers : 1;
    const keys = Array.from({ length: ranks }, (_, at) => ({
      ...keyOf(claim),
      rank: isRemote ? at : claim.rank,
    }));
    const executor = this.#effects.executors.get(claim.job.executor) as Executor;
    report({ type: refs ? 'resumed' : 'claimed', job: claim.job, rank: claim.rank });
    this.#claimed++;
    const one: Running = { keys, canceller, isRemote, isOver: false, done: Promise.resolve() };
    const work: ClaimedWork = {
      ...{ claim, keys, executor, signal: canceller.signal, isOver: () => one.isOver },
      ...(refs && { refs }),
    };
    this.#running.add(one);
    (one as { done: Promise<void> }).done = this.#finish(one, work);
    if (this.#effects.signal.aborted) canceller.abort();
  }

  async #finish(one: Running, work: ClaimedWork): Promise<void> {
    const { report } = this.#effects;
    const { claim } = work;
    try {
      const how = await runClaim(work, this.#options, this.#effects);
      if (how !== 'finished') this.#failed++;
      report({ type: 'ended', job: claim.job, rank: claim.rank, how });
    } catch (error) {
      this.#failed++;
      report({ type: 'problem', id: claim.jobId, message: (error as Error).stack ?? messageOf(error) });
    } finally {
      this.#running.delete(one);
      this.#wake();
    }
  }

  async #requeue(): Promise<void> {
    const { clock, queue, isAlive, report } = this.#effects;
    if (clock.now() - this.#requeuedAt < REQUEUE_EVERY_MS) return;
    this.#requeuedAt = clock.now();
    if (this.#remote.length > 0) {
      const mine = [...this.#running].flatMap(({ keys }) => keys.map(({ jobId }) => jobId));
      for (const { claim, refs } of await adoptJobs(this.#remote, new Set(mine), this.#effects))
        this.#start(claim, { isRemote: true, refs });
    }
    const lost = await queue.requeueLost({
      executors: [...this.#local, ...this.#remote],
      afterMs: LOST_AFTER_MS,
      limit: MAX_LOST,
      isAlive: (worker, jobId) =>
        isSame(worker, this.#effects.worker) ? this.#holds(jobId) : isAlive(worker),
    });
    for (const { id, becomes } of lost) report({ type: 'requeued', id, becomes });
  }

  /** When the answer to a claim is lost, the queue has this worker's claim, and nobody works on it. */
  #holds(jobId: string): boolean {
    return [...this.#running].some(({ keys }) => keys.some((key) => key.jobId === jobId));
  }

  async #beat(): Promise<void> {
    const { signal } = this.#done;
    while (!signal.aborted) {
      await this.#effects.clock.sleep(HEARTBEAT_MS, signal);
      const running = [...this.#running];
      if (running.length === 0) continue;
      await this.#safelyBeat(running);
    }
  }

  async #safelyBeat(running: readonly Running[]): Promise<void> {
    try {
      const answers = await this.#effects.queue.heartbeat(running.flatMap(({ keys }) => keys));
      let at = 0;
      for (const one of running) {
        const mayContinue = one.keys.every((_, offset) => answers[at + offset] === true);
        at += one.keys.length;
        if (mayContinue || !this.#running.has(one)) continue;
        one.isOver = true;
        one.canceller.abort();
      }
    } catch (error) {
      this.#effects.report({
        type: 'problem',
        message: `the heartbeat failed: ${messageOf(error)}`,
      });
    }
  }
}

function isSame(a: Worker, b: Worker): boolean {
  return a.host === b.host && a.pid === b.pid && a.incarnation === b.incarnation;
}

function keyOf({ jobId, attempt, rank, worker }: Claim): ClaimKey {
  return { jobId, attempt, rank, worker };
}

const MAX_JOBS = 1_000;

interface Adopted {
  readonly claim: Claim;
  readonly refs: ReadonlyMap<number, string>;
}

/** Jobs on a cluster outlive the process that follows them: this worker adopts those without a live process. */
async function adoptJobs(
  executors: readonly string[],
  mine: ReadonlySet<string>,
  effects: Pick<WorkEffects, 'queue' | 'worker' | 'isAlive'>,
): Promise<readonly Adopted[]> {
  const { queue, worker } = effects;
  const [running, scheduled] = await Promise.all([
    queue.list({ status: 'UNRESPONSIVE', limit: MAX_JOBS }),
    queue.list({ status: 'RUNNING', limit: MAX_JOBS }),
  ]);
  const adopted: Adopted[] = [];
  for (const job of [...running, ...scheduled]) {
    if (!executors.includes(job.executor) || mine.has(job.id) || !isAbandoned(job, effects)) continue;
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

function isAbandoned({ ranks }: Job, { queue, isAlive }: Pick<WorkEffects, 'queue' | 'isAlive'>): boolean {
  return ranks.every((rank) => {
    const alive = isAlive(rank);
    return alive === undefined ? queue.now() - rank.heartbeatAt > LOST_AFTER_MS : !alive;
  });
}
