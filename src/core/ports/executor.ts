import type { Pinning } from '../model/home.ts';
import type { Exit } from '../model/run.ts';
import type { CancelSignal } from '../signal.ts';

/**
 * Runs commands somewhere. Contract (test/contracts/executors.test.ts):
 * 1. `wait` resolves, never rejects: a command that cannot be started is an exit of type not-started.
 * 2. Timeout, cancel and kill end the whole tree: SIGTERM, then SIGKILL after the grace time; nothing outlives `wait`.
 * 3. stdout and stderr go to the log file in order of arrival; a log beyond its limit keeps its head and its tail
 *    and says how much was left out.
 * 4. Arguments and environment arrive byte by byte as given; no shell is in between. An executor of containers leaves
 *    out what only repeats the environment of this process: PATH and secrets of this machine are none of an image's.
 */
export interface Executor {
  readonly id: string;
  readonly title: string;
  readonly capabilities: ExecutorCapabilities;
  /**
   * Makes ready what the first command would otherwise wait for, and be charged with. Throws a NightmarkError where no
   * command could run.
   */
  ready(place?: ContainerPlace): Promise<void>;
  start(command: Command, signal: CancelSignal): Execution;
  /** Ends everything a dead run of ours left behind on this machine; returns how many processes that were. */
  endLeftovers(runId: string): Promise<number>;
}

export interface ExecutorCapabilities {
  readonly together: boolean;
  readonly pinning: boolean;
  readonly limits: boolean;
  readonly remote: boolean;
}

export interface Command {
  /** Program and arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; NIGHTMARK_RUN_ID in it marks the processes as ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Copy of stdout alone, for results that are printed. */
  readonly stdoutFile?: string;
  readonly timeoutMs?: number;
  /** How long the tree may take to end by itself; two seconds unless told. */
  readonly graceMs?: number;
  readonly pinning?: Pinning;
  /** For executors of containers, which need it. */
  readonly container?: CommandContainer;
}

/** An image, and the program that runs it: docker, podman or a path; absent: the first of these that is there. */
export interface ContainerPlace {
  readonly image: string;
  readonly engine?: string;
}

export interface CommandContainer extends ContainerPlace {
  /** Folders of this machine that are seen inside under the same path. */
  readonly folders: readonly SharedFolder[];
}

export interface SharedFolder {
  readonly path: string;
  readonly isReadOnly: boolean;
}

export interface Execution {
  wait(): Promise<Executed>;
  kill(): void;
}

export interface Executed {
  readonly exit: Exit;
  readonly logBytes: number;
}
