import type { CancelSignal } from '../signal.ts';
import type { Executed } from './executor.ts';

/**
 * Places in which the sides of a duet run: a folder and processes of this machine, or containers of an engine.
 * Contract (test/contracts/sandboxes.test.ts):
 * 1. What a sandbox holds is seen by no other one, unless `sharesMemory` was asked for (/dev/shm, IPC).
 * 2. `run` resolves, never rejects; output goes to the log file in order; timeout, cancel and kill end the whole tree:
 *    SIGTERM first, so that a harness may write what it has, then SIGKILL after the grace time.
 * 3. `fetch` copies a file or a folder out, also after the command failed; a path that is not there is a
 *    NightmarkError DUET_NO_RESULT.
 * 4. After `close` nothing of it is left: no process, no container, no folder. It is quick (no ten-second stops) and may
 *    be called twice.
 * 5. `endLeftovers` removes what a dead run of ours left, and nothing of a living one or of anybody else.
 */
export interface SandboxProvider {
  readonly id: string;
  readonly title: string;
  open(request: SandboxRequest, signal: CancelSignal): Promise<Sandbox>;
  endLeftovers(): Promise<number>;
}

export interface SandboxRequest {
  /** Unique on this machine: names the container or the folder. */
  readonly name: string;
  readonly image?: string;
  /** The program that is called as docker; "docker" or "podman" or a path. */
  readonly engine?: string;
  /** Folder below which a local sandbox makes its own. */
  readonly workDir: string;
  /** /dev/shm and IPC of the host, for barriers. */
  readonly sharesMemory: boolean;
  /** Leave the container (stopped) or the folder for a look. */
  readonly keep: boolean;
  /** Cores it may use; absent: all. */
  readonly cores?: readonly number[];
}

export interface Sandbox {
  /** Image digest, or undefined for a folder. */
  readonly digest: string | undefined;
  /** Runs `bash -c command` inside. */
  run(command: SandboxCommand, signal: CancelSignal): SandboxExecution;
  fetch(path: string, target: string): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxCommand {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
}

export interface SandboxExecution {
  wait(): Promise<Executed>;
  kill(): void;
}
