import type { Exit } from '../../executors/core/executor.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { Timing } from '../core/command-timer.ts';

interface Failed {
  /** "A", or "the preparation of B". */
  readonly what: string;
  readonly command: string;
  readonly timing: Timing;
}

/** The error for a command that did not end well; undefined when it did, or was cancelled. */
export function commandFailure({
  what,
  command,
  timing: { exit, tail },
}: Failed): NightmarkError | undefined {
  const said = tail.trim() === '' ? '' : `\nIt said:\n${lastLines(tail)}`;
  switch (exit.type) {
    case 'not-started':
      return new NightmarkError('DUET_NOT_STARTED', `${what} cannot be started: ${command}\n${exit.reason}`, {
        hint: 'Check the name of the program, PATH and the folder.',
      });
    case 'timeout':
      return new NightmarkError(
        'DUET_TIMEOUT',
        `${what} took longer than ${exit.afterMs} ms: ${command}${said}`,
        {
          hint: 'Both sides were ended. Give more time with --timeout, or leave such pairs out with --ignore-failure.',
        },
      );
    case 'code':
    case 'signal':
      if (exit.type === 'code' && exit.code === 0) return undefined;
      return new NightmarkError(
        'DUET_COMMAND_FAILED',
        `${what} ended with ${exitText(exit)}: ${command}${said}`,
        {
          hint: 'The time of a failing command says nothing of it. Mend it, or pass --ignore-failure to time it nevertheless.',
        },
      );
    case 'cancelled':
      return undefined;
  }
}

export function sideText(side: Side): string {
  return `Command ${side}`;
}

/** Codes above 128 are those that shells give for signals. */
function exitText(exit: Exit): string {
  if (exit.type !== 'code') return exit.type;
  const meaning = exit.code === 127 ? ' (no such program)' : (SIGNALS[exit.code - 128] ?? '');
  return `exit code ${exit.code}${meaning}`;
}

const SIGNALS: Readonly<Record<number, string>> = {
  2: ' (SIGINT)',
  6: ' (SIGABRT)',
  9: ' (SIGKILL; out of memory?)',
  11: ' (SIGSEGV)',
  15: ' (SIGTERM)',
};

function lastLines(tail: string): string {
  return tail.trimEnd().split('\n').slice(-10).map(visible).join('\n');
}
