import type { Executed, Executor } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';

/**
 * Places in which the sides of a duet run: a folder and processes of this machine, or containers of an engine.
 * Contract (test/contracts/sandboxes.test.ts):
 * 1. What a sandbox holds is seen by no other one, unless `sharesMemory` is set (/dev/shm, IPC).
 * 2. `run` resolves, never rejects; output goes to the log file in order; timeout, cancel and kill end the whole tree:
 *    SIGTERM first, so that a harness may write what it has, then SIGKILL after the grace time.
 * 3. `fetch` copies a file or a folder out, also after the command failed; a path that is not there, or was there
 *    before the sandbox and is unchanged, is a NightmarkError DUET_NO_RESULT. Relative paths are those of the command.
 * 4. After `close` nothing of it is left: no process, no container, no folder, unless `keep` is set; then no
 *    process. It is quick (no ten-second stops) and may be called twice.
 * 5. `endLeftovers` removes what a dead run of ours left, and nothing of a living one or of another program; where there
 *    is no engine there is nothing left.
 * 6. A command with `measuresFile` leaves there what it took (executors/core/measured-command.ts), also when it failed; its exit is
 *    its own, and nothing is in its folder before it starts.
 */
export interface SandboxProvider {
  readonly id: string;
  readonly title: string;
  open(request: SandboxRequest, signal: CancelSignal): Promise<Sandbox>;
  /** Returns how many sandboxes that were. */
  endLeftovers(scope: SandboxScope): Promise<number>;
}

/** The default export of an adapter. */
export type MakeSandboxes = (tools: SandboxTools) => SandboxProvider;

export interface SandboxTools {
  /** Runs what is run on this machine: commands, or the clients of an engine. */
  readonly executor: Executor;
  /** Environment of local commands and of the engine's clients. */
  readonly env: Readonly<Record<string, string>>;
}

interface SandboxScope {
  /** Folder below which a local sandbox makes its own. */
  readonly workDir: string;
  /** The program that is called as docker; "docker" or "podman" or a path. */
  readonly engine?: string;
}

export interface SandboxRequest extends SandboxScope {
  /** Unique on this machine: names the container or the folder. Letters, digits, "_", "-" and ".". */
  readonly name: string;
  /** Marks everything in it as belonging to this run. */
  readonly runId: string;
  readonly image?: string;
  /** /dev/shm and IPC of the host, for barriers. */
  readonly sharesMemory: boolean;
  /** The barrier that is made inside, by which a leftover is also tidied up. */
  readonly barrier?: string;
  /** Keep the container (stopped) or the folder. */
  readonly keep: boolean;
  /** Cores it may use; absent: all. */
  readonly cores?: readonly number[];
}

export interface Sandbox {
  /** Image digest, or undefined for a folder. */
  readonly digest: string | undefined;
  /** Where it stays when it is kept: the name of the container, or the folder. */
  readonly place: string;
  /** Runs `bash -c command` inside, with its measures where asked for. */
  run(command: SandboxCommand, signal: CancelSignal): SandboxExecution;
  /** `target` must not exist yet. */
  fetch(path: string, target: string): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxCommand {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly timeoutMs?: number;
  /** Where it leaves what was measured of it (executors/core/measured-command.ts), as `fetch` takes it; absent: it is not measured. */
  readonly measuresFile?: string;
  /** How long the tree may take to end by itself; five seconds by default, for results that are written at the end. */
  readonly graceMs?: number;
}

export interface SandboxExecution {
  wait(): Promise<Executed>;
  kill(): void;
}
