import { callSlurm, isAway } from './call-slurm.ts';
import { type JobState, liveStates } from './job-states.ts';

const SHORTEST_MS = 200;
const LONGEST_MS = 2_000;
/** With nobody there to answer. */
const AWAY_MS = 10_000;

/** Where a followed job is: not asked yet, alive in some state, or not among the living. */
export type Sight = 'unknown' | 'gone' | JobState;

/** Looks after all followed jobs with one call of squeue: often while something happens, seldom while nothing does. */
class JobWatch {
  readonly #sights = new Map<string, Sight>();
  readonly #wakers = new Map<string, () => void>();
  #pauseMs = SHORTEST_MS;
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;
  #awayLooks = 0;
  readonly #toCancel = new Set<string>();

  follow(ref: string): void {
    this.#sights.set(ref, 'unknown');
    this.hurry();
  }

  forget(ref: string): void {
    this.#sights.delete(ref);
    if (this.#sights.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  sight(ref: string): Sight {
    return this.#sights.get(ref) ?? 'unknown';
  }

  /** How many looks in a row found nobody to answer. */
  get awayLooks(): number {
    return this.#awayLooks;
  }

  /** Until the sight of a job changes, or the time is over. */
  change(ref: string, mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakers.delete(ref);
        resolve();
      };
      const timer = setTimeout(done, mostMs);
      this.#wakers.set(ref, done);
    });
  }

  wake(ref: string): void {
    this.#wakers.get(ref)?.();
  }

  /** Something is about to happen. */
  hurry(): void {
    if (this.#pauseMs === SHORTEST_MS && (this.#timer || this.#isLooking)) return;
    this.#pauseMs = SHORTEST_MS;
    if (!this.#isLooking) this.#lookIn(this.#pauseMs);
  }

  /** Cancels of one moment go together, and are repeated until somebody took them. */
  cancel(ref: string): void {
    this.#toCancel.add(ref);
    if (this.#toCancel.size === 1) setTimeout(() => this.#cancelAll(), 5);
    this.hurry();
  }

  async #cancelAll(): Promise<void> {
    const refs = [...this.#toCancel];
    this.#toCancel.clear();
    if (await cancelJobs(refs)) return;
    setTimeout(() => {
      for (const ref of refs) if (this.#sights.has(ref)) this.cancel(ref);
    }, SHORTEST_MS).unref();
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), ms);
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#isLooking = true;
    const asked = [...this.#sights.keys()];
    const states = await liveStates();
    this.#isLooking = false;
    this.#awayLooks = states ? 0 : this.#awayLooks + 1;
    this.#pauseMs = Math.min(this.#pauseMs * 1.5, states ? LONGEST_MS : AWAY_MS);
    if (states) for (const ref of asked) this.#take(ref, states.get(ref) ?? 'gone');
    else for (const ref of asked) this.wake(ref);
    if (this.#sights.size > 0) this.#lookIn(this.#pauseMs);
  }

  #take(ref: string, now: Sight): void {
    const before = this.#sights.get(ref);
    if (before === undefined) return; // forgotten meanwhile
    this.#sights.set(ref, now);
    if (nameOf(before) === nameOf(now)) return;
    this.#pauseMs = SHORTEST_MS;
    this.wake(ref);
  }
}

export const jobWatch = new JobWatch();

/**
 * To the script of what runs, which then ends its tree in the time of grace; and to Slurm, which forgets what waits. A
 * signal for a job that waits would keep scancel trying for a minute.
 */
async function cancelJobs(refs: readonly string[]): Promise<boolean> {
  const states = await liveStates();
  if (!states) return false;
  const running = refs.filter((ref) => states.get(ref)?.state === 'RUNNING');
  if (running.length > 0) await callSlurm('scancel', ['--quiet', '--batch', '--signal=TERM', ...running]);
  return !isAway(await callSlurm('scancel', ['--quiet', ...refs]));
}

function nameOf(sight: Sight): string {
  return typeof sight === 'string' ? sight : `${sight.state} ${sight.reason}`;
}
