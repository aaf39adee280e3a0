import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { ClusterPlace, Resources } from './place.ts';

/**
 * Runs commands somewhere. Contract (test/contracts/executors/suite.ts):
 * 1. `wait` resolves, never rejects: a command that cannot be started is an exit of type not-started.
 * 2. Timeout, cancel and kill end the whole tree: SIGTERM, then SIGKILL after the grace time; nothing outlives `wait`.
 * 3. stdout and stderr go to the log file in order of arrival; a log beyond its limit keeps its head and its tail
 *    and says how much was left out.
 * 4. Arguments and environment arrive byte by byte as given; no shell is in between. An executor of containers leaves
 *    out what only repeats the environment of this process: PATH and secrets of this machine do not belong into an image.
 * 5. Where there is `attach`: a process that comes later finds a command by its `ref`, as long as the cluster has it,
 *    and follows it to the same end.
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
  /** Goes on following a command that another process of ours started; undefined when the cluster has no record of it. */
  attach?(ref: string, command: Command, signal: CancelSignal): Promise<Execution | undefined>;
  /** Workers for the cluster to run by itself; only `send` reaches out to it. Absent: it runs only what is followed. */
  dispatch?(pool: WorkerPool): Dispatch;
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
  /** How long the tree may take to end by itself; two seconds by default. */
  readonly graceMs?: number;
  readonly pinning?: Pinning;
  /** For executors of containers, which need it. */
  readonly container?: CommandContainer;
  /** How a cluster shows it to people; made legal by the executor. */
  readonly title?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly resources?: Resources;
  readonly place?: ClusterPlace;
  /** Processes in one allocation, each with its rank: for executors with an `srun` of their own. */
  readonly tasks?: number;
  /** Refs of commands of the same executor that must have ended well before. */
  readonly after?: readonly string[];
  /** Gets output as it comes; absent: it only goes to the files. */
  readonly onOutput?: OutputListener;
}

/** Where it gives a promise, an executor may hold the program's next output back until that resolves. */
export type OutputListener = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void | Promise<void>;

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
  /** How the cluster names it, once it has accepted it; undefined when it never did. */
  readonly ref?: Promise<string | undefined>;
}

export interface Executed {
  readonly exit: Exit;
  readonly logBytes: number;
  /** The node of a cluster that it ran on. */
  readonly host?: string;
  /** What a cluster reported beyond the exit: that memory ran out, that a node was lost. */
  readonly note?: string;
}

/** How a process ended. */
export type Exit =
  | { readonly type: 'code'; readonly code: number }
  /** The reason, where a cluster gives one: the node failed, the memory was too small. */
  | { readonly type: 'signal'; readonly signal: string; readonly reason?: string }
  | { readonly type: 'timeout'; readonly afterMs: number }
  /** The reason, where we did not request it. */
  | { readonly type: 'cancelled'; readonly reason?: string }
  | { readonly type: 'not-started'; readonly reason: string };

export type Pinning =
  | { readonly type: 'list'; readonly cores: string }
  | { readonly type: 'mask'; readonly mask: string };

/** Workers that a cluster is to run: copies of one command, some at a time. Nobody follows them. */
export interface WorkerPool {
  /** Names it together with `ending`. */
  readonly user: string;
  /** Six random letters or digits. */
  readonly ending: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Variables whose values only the cluster knows. */
  readonly secrets?: Readonly<Record<string, SecretKey>>;
  readonly copies: number;
  /** How many run at a time. */
  readonly parallel: number;
  /** A folder that is there, for what they print, where the cluster keeps no logs itself. */
  readonly logDir: string;
  readonly resources: Resources;
  readonly place: ClusterPlace;
}

/** One value of a Secret of Kubernetes. */
export interface SecretKey {
  readonly name: string;
  readonly key: string;
}

/** What is submitted to a cluster, as people give it to their own tools, and how to submit it. */
export interface Dispatch {
  readonly text: string;
  /** Returns how the cluster names it. Throws a NightmarkError where the cluster refuses it. */
  send(): Promise<string>;
}
