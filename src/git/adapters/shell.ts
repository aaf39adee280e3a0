import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Executor, Exit } from '../../executors/core/executor.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';

/** Runs one command after another; the log gets each command, its output and how it ended. */
export interface Shell {
  run(argv: readonly [string, ...string[]], options: RunOptions): Promise<CommandResult>;
  /** Adds a line to the log. */
  note(text: string): void;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Returns stdout. */
  readonly capture?: boolean;
}

export interface CommandResult {
  readonly isOk: boolean;
  readonly exit: Exit;
  readonly stdout: string;
  /** The last lines that the command printed. */
  readonly lastLines: string;
}

export interface ShellOptions {
  readonly executor: Executor;
  readonly logFile: string;
  readonly signal: CancelSignal;
}

export function openShell({ executor, logFile, signal }: ShellOptions): Shell {
  mkdirSync(dirname(logFile), { recursive: true });
  const note = (text: string) => appendFileSync(logFile, text);
  return {
    note: (text) => note(`# ${withoutSecrets(text)}\n`),
    async run(argv, { cwd, env, timeoutMs, capture = false }) {
      note(`$ ${argv.map((part) => shellQuote(withoutSecrets(part))).join(' ')}\n`);
      // An executor starts a new log for each command; this part can be followed while the command runs.
      const part = `${logFile}.part`;
      const stdoutFile = `${part}.stdout`;
      try {
        const command = { argv, cwd, env, logFile: part, ...(capture && { stdoutFile }) };
        const { exit } = await executor
          .start(timeoutMs === undefined ? command : { ...command, timeoutMs }, signal)
          .wait();
        const output = withoutSecrets(readIfThere(part));
        note(`${output}${output === '' || output.endsWith('\n') ? '' : '\n'}# ${exitText(exit)}\n`);
        throwIfInterrupted(exit, signal);
        const isOk = exit.type === 'code' && exit.code === 0;
        const stdout = capture ? readIfThere(stdoutFile) : '';
        return { isOk, exit, stdout, lastLines: tail(output) || exitText(exit) };
      } finally {
        rmSync(part, { force: true });
        rmSync(stdoutFile, { force: true });
      }
    },
  };
}

/** Keeps passwords and tokens in URLs out of logs and messages. */
export function withoutSecrets(text: string): string {
  return text.replace(
    /(https?)?:\/\/([^\s/@'":]*)(:[^\s/@'"]*)?@/g,
    (_, http: string | undefined, user: string, password: string | undefined) =>
      // In an https URL the user alone may be a token; in an ssh URL it is just a name.
      `${http ?? ''}://${http ? '***' : user}${!http && password ? ':***' : ''}@`,
  );
}

function throwIfInterrupted(exit: Exit, signal: CancelSignal): void {
  if (exit.type !== 'cancelled' && !signal.aborted) return;
  throw new NightmarkError('SOURCE_INTERRUPTED', 'Preparing the source was interrupted.', {
    hint: 'What was fetched is kept; the next run continues from there.',
  });
}

const LAST_LINES = 20;
const LAST_CHARACTERS = 2_000;

function tail(output: string): string {
  return output.trimEnd().slice(-LAST_CHARACTERS).split('\n').slice(-LAST_LINES).join('\n');
}

function exitText(exit: Exit): string {
  switch (exit.type) {
    case 'code':
      return `exit code ${exit.code}`;
    case 'signal':
      return `ended by ${exit.signal}`;
    case 'timeout':
      return `ended after ${Math.round(exit.afterMs / 1000)} s without a result`;
    case 'cancelled':
      return 'cancelled';
    case 'not-started':
      return `not started: ${exit.reason}`;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the executor could not write it: only the log lacks it
  }
}
