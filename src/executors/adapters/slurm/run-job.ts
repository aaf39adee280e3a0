import { existsSync } from 'node:fs';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Command, Execution, Exit } from '../../core/executor.ts';
import { LogFile } from '../command-output.ts';
import { exitOf } from './job-exit.ts';
import { finalState, type JobState, jobWatch } from './job-states.ts';
import { type Ending, readEnding, stagingOf, unstage, whyNotRunnable } from './staging.ts';
import { submitCommand } from './submit-jobs.ts';
import { OutputTail } from './tail-output.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 1_000;
/** A shared file system may show a file later than Slurm shows the end of its writer. */
const LATE_FILE_MS = 2_000;
/** The script reported its end, and the cluster does not answer. */
const MOST_FAILED_POLLS = 2;

export function startJob(command: Command, signal: CancelSignal): Execution {
  const following = new Following(command, signal);
  const reason = whyNotRunnable(command);
  const ended = following.run(async () => {
    if (signal.aborted) return { type: 'cancelled' };
    if (reason !== undefined) return { type: 'not-started', reason };
    const submitted = await submitCommand(command, () => following.isCancelled);
    if (submitted.state === 'cancelled') return { type: 'cancelled' };
    if (submitted.state === 'refused') return { type: 'not-started', reason: submitted.reason };
    return submitted.ref;
  });
  return { wait: () => ended, kill: () => following.cancel(), ref: following.ref };
}

/** Follows a job of an earlier process, also one that has ended meanwhile. */
export async function attachJob(
  ref: string,
  command: Command,
  signal: CancelSignal,
): Promise<Execution | undefined> {
  if (!/^\d+(_\d+)?$/.test(ref)) return undefined;
  const hasFiles = existsSync(stagingOf(command));
  if (!hasFiles && (await finalState(ref)) === undefined) return undefined;
  const following = new Following(command, signal);
  const ended = following.run(async () => ref, true);
  return { wait: () => ended, kill: () => following.cancel(), ref: following.ref };
}

class Following {
  readonly #command: Command;
  readonly #signal: CancelSignal;
  readonly #log: LogFile;
  readonly #tail: OutputTail;
  readonly ref: Promise<string | undefined>;
  #resolveRef: (ref: string | undefined) => void = () => {};
  #known: string | undefined;
  #isCancelled = false;
  #host = '';

  constructor(command: Command, signal: CancelSignal) {
    this.#command = command;
    this.#signal = signal;
    this.#log = new LogFile(command.logFile, command.stdoutFile);
    this.#tail = new OutputTail(command, this.#log);
    this.ref = new Promise((resolve) => {
      this.#resolveRef = resolve;
    });
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  cancel(): void {
    this.#isCancelled = true;
    if (this.#known !== undefined) jobWatch.cancel(this.#known);
  }

  async run(submit: () => Promise<string | Exit>, isLater = false) {
    const cancel = () => this.cancel();
    this.#signal.addEventListener('abort', cancel, { once: true });
    if (this.#signal.aborted) cancel();
    const submitted = await submit();
    const ref = typeof submitted === 'string' ? submitted : undefined;
    this.#resolveRef(ref);
    if (isLater) await this.#tail.resume();
    const exit = ref === undefined ? (submitted as Exit) : await this.#follow(ref);
    this.#signal.removeEventListener('abort', cancel);
    await this.#tail.close();
    await unstage(this.#command);
    const host = this.#host === '' ? {} : { host: this.#host };
    return { exit, logBytes: this.#log.close(), ...host };
  }

  async #follow(ref: string): Promise<Exit> {
    this.#known = ref;
    jobWatch.follow(ref);
    if (this.#isCancelled) jobWatch.cancel(ref);
    try {
      const hopeless = await this.#untilEnded(ref);
      if (hopeless !== undefined) return { type: 'not-started', reason: hopeless };
      const ending = await this.#lateEnding();
      this.#host = ending?.host ?? '';
      while (await this.#tail.read()); // to the last byte
      const { isCancelled } = this;
      return await exitOf({ ref, command: this.#command, ending, isCancelled });
    } finally {
      jobWatch.unfollow(ref);
    }
  }

  /** Passes output on until Slurm has no process of it any more. Returns why it can never run, if so. */
  async #untilEnded(ref: string): Promise<string | undefined> {
    const stuckCheck = new StuckJobCheck();
    let pauseMs = SHORTEST_MS;
    let ending: Ending | undefined;
    for (;;) {
      const status = jobWatch.status(ref);
      const verdict = status === 'unknown' ? 'wait' : stuckCheck.judge(status);
      if (verdict === 'ended') return undefined;
      if (verdict === 'hopeless') {
        jobWatch.cancel(ref);
        return `Slurm will never run job ${ref}: ${(status as JobState).reason}`;
      }
      const state = typeof status === 'string' ? status : status.state;
      // What waits has no files: a thousand waiting jobs cost the file system nothing.
      const hasMoved = state !== 'PENDING' && (await this.#tail.read());
      if (state !== 'PENDING') ending ??= await readEnding(this.#command);
      if (ending) {
        if (state === 'COMPLETING' || jobWatch.failedPolls >= MOST_FAILED_POLLS) return undefined;
        jobWatch.pollSoon();
      }
      pauseMs = hasMoved ? SHORTEST_MS : Math.min(pauseMs * 1.5, LONGEST_MS);
      await jobWatch.change(ref, ending ? SHORTEST_MS : pauseMs);
    }
  }

  async #lateEnding(): Promise<Ending | undefined> {
    const deadline = performance.now() + (this.#isCancelled ? 0 : LATE_FILE_MS);
    for (;;) {
      const ending = await readEnding(this.#command);
      if (ending || performance.now() > deadline) return ending;
      await new Promise((resolve) => setTimeout(resolve, SHORTEST_MS));
    }
  }
}

/** An unavailable node keeps its jobs "completing"; they are then given up. */
const STUCK_MS = 90_000;
/** Slurm also gives such reasons for a short time, while a node comes back. */
const HOPELESS_MS = 10_000;
/**
 * Reasons to wait that never end: the job requests more than its partition, account or
 * quality of service has for any job. A job that is held by a person waits for that person.
 */
const HOPELESS =
  /^(launch failed|BadConstraints|DependencyNeverSatisfied|Partition(Config|NodeLimit|TimeLimit)|InvalidAccount|InvalidQOS|(Assoc|QOS)\w*(PerJob|PerJobLimit)$)/i;

/** Decides from what Slurm shows of one job over time whether to go on waiting. */
export class StuckJobCheck {
  #name = '';
  #since = 0;

  judge(status: 'gone' | JobState, now = performance.now()): 'wait' | 'ended' | 'hopeless' {
    if (status === 'gone') return 'ended';
    const name = `${status.state} ${status.reason}`;
    if (name !== this.#name) {
      this.#name = name;
      this.#since = now;
    }
    const forMs = now - this.#since;
    if (status.state === 'COMPLETING') return forMs > STUCK_MS ? 'ended' : 'wait';
    const isHopeless = status.state === 'PENDING' && HOPELESS.test(status.reason);
    return isHopeless && forMs > HOPELESS_MS ? 'hopeless' : 'wait';
  }
}
