import type { Command as Parser } from 'commander';
import type { CliContext } from './context.ts';

/** Exit codes of the whole program; see docs/reference/exit-codes.md. */
export const EXIT = {
  fine: 0,
  error: 1,
  nothingToCompare: 2,
  regression: 3,
  someFailed: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One command: what it takes, and what it does. Default export of each file in commands/. */
export interface CommandModule {
  /** Puts the words of the command line into the form that the parser takes: one word for each option. */
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

export function flag(options: Options, name: string): boolean {
  return options[name] === true;
}
