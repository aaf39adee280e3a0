import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { NightmarkError } from '../../platform/core/errors.ts';
import { needsShell, shellWords } from '../../platform/core/text/shell.ts';
import type { Argv } from '../app/compare-request.ts';

/** How commands are started: without a shell, or by one. */
export type Shell = { readonly type: 'none' } | { readonly type: 'shell'; readonly words: Argv };

/** Without a choice: none, unless one of the commands needs it; both sides are started alike. */
export function chooseShell(
  choice: string | undefined,
  commands: readonly string[],
  path: string | undefined,
): Shell {
  if (choice === 'none') return { type: 'none' };
  if (choice !== undefined && choice !== 'default')
    return { type: 'shell', words: wordsOf(choice, '--shell') };
  return commands.every((command) => isPlain(command, path))
    ? { type: 'none' }
    : { type: 'shell', words: ['sh'] };
}

export function toArgv(command: string, shell: Shell): Argv {
  if (shell.type === 'shell') return [...shell.words, '-c', command];
  return wordsOf(command, 'The command');
}

/** Only words, and the first is a program: cd, exit and the like are known to shells alone. */
function isPlain(command: string, path: string | undefined): boolean {
  if (needsShell(command)) return false;
  const split = shellWords(command);
  if (split.state !== 'words') return false;
  const [program = ''] = split.words;
  return (
    program.includes('/') ||
    (path ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)))
  );
}

function wordsOf(text: string, what: string): Argv {
  const split = shellWords(text);
  if (split.state === 'unclosed') {
    throw new NightmarkError(
      'CLI_INVALID_OPTION',
      `${what} has a ${split.quote} that is never closed: ${text}`,
      {
        hint: 'Close the quote, or escape it with a backslash.',
      },
    );
  }
  const [first, ...rest] = split.words;
  if (first === undefined || first === '') {
    throw new NightmarkError('CLI_INVALID_OPTION', `${what} is empty.`, {
      hint: 'For example: nightmark duet "sort -n big.txt" "sort -g big.txt"',
    });
  }
  return [first, ...rest];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
