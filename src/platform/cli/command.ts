import type { Command as Parser } from 'commander';
import type { CancelSignal } from '../core/cancel-signal.ts';
import type { Clock } from '../core/clock.ts';
import type { Disk } from '../core/disk.ts';

/** Exit codes of the whole program; see docs/reference/exit-codes.md. */
export const EXIT = {
  fine: 0,
  error: 1,
  nothingToCompare: 2,
  /** A gate could not judge. */
  unknown: 2,
  regression: 3,
  someFailed: 4,
  undecided: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One command: what it takes, and what it does. Default export of each file in commands/. */
export interface CommandModule {
  /** Rewrites the arguments of the command line for the parser: one argument for each option. */
  readonly arrange?: (words: readonly string[]) => readonly string[];
  /** Declares arguments, options and help on the parser. */
  configure(parser: Parser): void;
  /** The exit code: one of ours, or that of a command which was started on the user's behalf. */
  run(args: readonly string[], options: Options, context: CliContext): Promise<number>;
}

/** Options as commander leaves them: text, true, false or a list of texts. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be repeated. */
export function listOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
}

export function flag(options: Options, name: string): boolean {
  return options[name] === true;
}

/** Everything a command sees of the world; a test passes its own. */
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
  /** Line by line, on demand; absent: there is nothing to read. */
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
