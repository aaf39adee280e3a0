import type { CancelSignal } from '../core/cancel-signal.ts';
import type { Clock } from '../core/clock.ts';
import type { Disk } from '../core/disk.ts';

/** Everything a command sees of the world; a test hands in its own. */
export interface CliContext {
  readonly cwd: string;
  /** The command line as it was given, without the program; absent: there was none. */
  readonly words?: readonly string[];
  /** Runs another command of the program; absent: there is no program around the command. */
  readonly runCommand?: (words: readonly string[], context: CliContext) => Promise<number>;
  readonly env: Readonly<Record<string, string>>;
  /** The user's home folder, for "~". */
  readonly userHome: string;
  readonly hostName: string;
  readonly processId: number;
  /** Folder of the installed package: kit/, schema/, templates/. */
  readonly packageDir: string;
  readonly version: string;
  /** Line by line, once it is asked for; absent: there is nothing to read. */
  readonly stdin?: AsyncIterable<string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly disk: Disk;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: CancelSignal;
  /** A random 32-bit number, for seeds and ids. */
  randomSeed(): number;
}

export interface Output {
  write(text: string): void;
  /** A picture; absent: this output takes text only. */
  writeBytes?(bytes: Uint8Array): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** NO_COLOR, FORCE_COLOR and the terminal decide. */
  readonly hasColor: boolean;
}
