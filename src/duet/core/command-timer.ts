import type { Exit } from '../../executors/core/executor.ts';
import type { Counter, Measures } from '../../executors/core/measures.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';

/**
 * Runs commands and measures how long they took, with as little overhead in the number as possible.
 * Contract (test/contracts/timers.test.ts):
 * 1. Commands of one call start at the same time, each in its own worker; the skew is reported.
 * 2. The wall time is that of the command alone: a command that sleeps 50 ms takes 50 ms and a little.
 * 3. CPU time (user, system) is that of the command and of all children that were waited for, where the system reports it;
 *    `leftRunning` says whether others are left.
 * 4. Timeout and cancel end the whole tree of every command of the call; nothing outlives `close`, nor the death of our process.
 * 5. `run` resolves, never rejects; a command that cannot be started is an exit of type not-started, and the others of
 *    the call are not started either: cancelled.
 */
export interface CommandTimer {
  open(workers: number): Promise<TimerSession>;
  /** Cores that commands may use, those that are one physical core together: [[0, 4], [1, 5]]. */
  cores(): Promise<readonly (readonly number[])[]>;
  /** Counters of the processor that can be read here. */
  counters(): Promise<CounterSupport>;
}

export interface CounterSupport {
  readonly counters: readonly Counter[];
  /** Why the others are not among them. */
  readonly reason?: string;
}

export interface TimerSession {
  /** At most as many commands as there are workers; the first in worker 0. */
  run(commands: readonly TimedCommand[], signal: CancelSignal): Promise<readonly Timing[]>;
  /** Processes that commands of this session left running: nobody has waited for them, so their CPU time is not known. */
  leftRunning(): number;
  close(): Promise<void>;
}

export interface TimedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly cores?: readonly number[];
  /** What goes into the tail for people to read on failure: nothing, stderr, or both; the rest is discarded. */
  readonly output: 'null' | 'errors' | 'tail';
  /** With counters. What counts takes milliseconds itself: times of such a run are not comparable with others. */
  readonly isCounted?: boolean;
  /** With `runnable`, which disturbs a little: for runs that do not count. */
  readonly isWatched?: boolean;
}

export interface Timing {
  /** Ended by a signal: the code that shells give, 128 and its number. */
  readonly exit: Exit;
  readonly wallNs: number;
  readonly userNs?: number;
  readonly systemNs?: number;
  /** The steps in which user and system time are counted. */
  readonly cpuStepNs?: number;
  /** Everything that can be compared of this run: the ratio of two runs is made of one of these. */
  readonly measures: Measures;
  /**
   * Share of the wall time in which threads of the command ran or waited for a CPU: about 1 for one that only computes, also on
   * a busy machine, near 0 for one that waits for something else; more than 1 with several threads. Only where watched.
   */
  readonly runnable?: number;
  /** Nanoseconds since 1970 of the start. */
  readonly startedAtNs: bigint;
  /** The last bytes that the command printed; all there for one that failed, perhaps not yet for one that did not. */
  readonly tail: string;
}
