import type { ProgramOutput } from '../../../platform/adapters/programs.ts';
import { callSlurm, callUntilAnswered, isUnavailable } from './call-slurm.ts';

const SHORTEST_MS = 200;
const LONGEST_MS = 2_000;
/** While Slurm is unavailable. */
const UNAVAILABLE_MS = 10_000;

/** The status of a followed job: not polled yet, alive in some state, or gone. */
export type JobStatus = 'unknown' | 'gone' | JobState;

/** Polls all followed jobs with one call of squeue: often while something happens, seldom while nothing does. */
class JobWatch {
  readonly #statuses = new Map<string, JobStatus>();
  readonly #wakers = new Map<string, () => void>();
  #pauseMs = SHORTEST_MS;
  #isPolling = false;
  #timer: NodeJS.Timeout | undefined;
  #failedPolls = 0;
  readonly #toCancel = new Set<string>();

  follow(ref: string): void {
    this.#statuses.set(ref, 'unknown');
    this.pollSoon();
  }

  unfollow(ref: string): void {
    this.#statuses.delete(ref);
    if (this.#statuses.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  status(ref: string): JobStatus {
    return this.#statuses.get(ref) ?? 'unknown';
  }

  /** How many polls in a row got no answer. */
  get failedPolls(): number {
    return this.#failedPolls;
  }

  /** Resolves when the status of a job changes, or the time is over. */
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

  /** Polls soon: something is about to happen. */
  pollSoon(): void {
    if (this.#pauseMs === SHORTEST_MS && (this.#timer || this.#isPolling)) return;
    this.#pauseMs = SHORTEST_MS;
    if (!this.#isPolling) this.#pollIn(this.#pauseMs);
  }

  /** Cancels at the same time go together, and are repeated until Slurm has accepted them. */
  cancel(ref: string): void {
    this.#toCancel.add(ref);
    if (this.#toCancel.size === 1) setTimeout(() => this.#cancelAll(), 5);
    this.pollSoon();
  }

  async #cancelAll(): Promise<void> {
    const refs = [...this.#toCancel];
    this.#toCancel.clear();
    if (await cancelJobs(refs)) return;
    setTimeout(() => {
      for (const ref of refs) if (this.#statuses.has(ref)) this.cancel(ref);
    }, SHORTEST_MS).unref();
  }

  #pollIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(), ms);
  }

  async #poll(): Promise<void> {
    this.#timer = undefined;
    this.#isPolling = true;
    const refs = [...this.#statuses.keys()];
    const states = await liveStates();
    this.#isPolling = false;
    this.#failedPolls = states ? 0 : this.#failedPolls + 1;
    this.#pauseMs = Math.min(this.#pauseMs * 1.5, states ? LONGEST_MS : UNAVAILABLE_MS);
    if (states) for (const ref of refs) this.#take(ref, states.get(ref) ?? 'gone');
    else for (const ref of refs) this.wake(ref);
    if (this.#statuses.size > 0) this.#pollIn(this.#pauseMs);
  }

  #take(ref: string, now: JobStatus): void {
    const before = this.#statuses.get(ref);
    if (before === undefined) return; // no longer followed
    this.#statuses.set(ref, now);
    if (nameOf(before) === nameOf(now)) return;
    this.#pauseMs = SHORTEST_MS;
    this.wake(ref);
  }
}

export const jobWatch = new JobWatch();

/**
 * To the script of what runs, which then ends its tree in the time of grace; and to Slurm, which drops what waits. A
 * signal for a job that waits would keep scancel trying for a minute.
 */
async function cancelJobs(refs: readonly string[]): Promise<boolean> {
  const states = await liveStates();
  if (!states) return false;
  const running = refs.filter((ref) => states.get(ref)?.state === 'RUNNING');
  if (running.length > 0) await callSlurm('scancel', ['--quiet', '--batch', '--signal=TERM', ...running]);
  return !isUnavailable(await callSlurm('scancel', ['--quiet', ...refs]));
}

function nameOf(status: JobStatus): string {
  return typeof status === 'string' ? status : `${status.state} ${status.reason}`;
}

/** What Slurm says of a job: PENDING, RUNNING, COMPLETING, CANCELLED ..., and why. */
export interface JobState {
  readonly state: string;
  readonly reason: string;
}

/** All jobs of ours that have not ended, by their ref. Undefined: no answer. */
export async function liveStates(): Promise<ReadonlyMap<string, JobState> | undefined> {
  const answer = await callSlurm('squeue', ['--me', '-h', '-r', '-o', FORMAT]);
  isUnavailable(answer); // reports it
  return readStates(answer);
}

/** How jobs ended, where Slurm still has a record; one call for all requests at the same time. */
export function finalState(ref: string): Promise<JobState | undefined> {
  pendingQuery ??= {
    refs: new Set(),
    answer: new Promise((resolve) => setTimeout(() => resolve(queryFinalStates()), 20)),
  };
  pendingQuery.refs.add(ref);
  return pendingQuery.answer.then((states) => states.get(ref));
}

/** The exit code of a job that left no file behind: "0:9" is signal 9. */
export async function exitCodeOf(ref: string): Promise<readonly [code: number, signal: number] | undefined> {
  const { stdout } = await callUntilAnswered('scontrol', ['-o', 'show', 'job', ref]);
  const found = /\bExitCode=(\d+):(\d+)/.exec(stdout) ?? /\|(\d+):(\d+)$/m.exec(await queryAccounting([ref]));
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

const FORMAT = '%i|%T|%r';
let pendingQuery:
  | { readonly refs: Set<string>; readonly answer: Promise<ReadonlyMap<string, JobState>> }
  | undefined;

async function queryFinalStates(): Promise<ReadonlyMap<string, JobState>> {
  const refs = [...(pendingQuery?.refs ?? [])];
  pendingQuery = undefined;
  const ids = [...new Set(refs.map((ref) => ref.split('_')[0] ?? ref))].join(',');
  const answer = await callUntilAnswered('squeue', ['-h', '-r', '-t', 'all', '-j', ids, '-o', FORMAT]);
  const states = new Map(readStates(answer)); // an error means that none of them exists
  const missing = refs.filter((ref) => !states.has(ref));
  if (missing.length === 0) return states;
  for (const line of (await queryAccounting(missing)).split('\n')) {
    const [ref = '', state = ''] = line.split('|');
    // "CANCELLED by 1000"
    if (ref !== '') states.set(ref, { state: state.split(' ')[0] ?? '', reason: 'None' });
  }
  return states;
}

/** Where a cluster has no accounting there is nothing. */
async function queryAccounting(refs: readonly string[]): Promise<string> {
  const args = ['-n', '-P', '-X', '-j', refs.join(','), '-o', 'JobID,State,ExitCode'];
  const { code, stdout } = await callSlurm('sacct', args);
  return code === 0 ? stdout : '';
}

/** What squeue printed; undefined: it failed. */
export function readStates({ code, stdout }: ProgramOutput): ReadonlyMap<string, JobState> | undefined {
  if (code !== 0) return undefined;
  const states = new Map<string, JobState>();
  for (const line of stdout.split('\n')) {
    const [ref, state = '', ...reason] = line.split('|');
    if (ref) states.set(ref, { state, reason: reason.join('|') });
  }
  return states;
}
