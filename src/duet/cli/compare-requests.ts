import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isCounter, measureText } from '../../executors/core/measures.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { needsShell, shellWords } from '../../platform/core/text/shell.ts';
import type { Argv, CommandSide, CompareRequest } from '../app/compare-request.ts';
import type { CommandTimer, CounterSupport } from '../core/command-timer.ts';
import type { PairMode } from '../core/comparison.ts';
import { splitCores } from '../core/pair-plan.ts';
import type { CompareSettings } from './compare-options.ts';
import { combinations, requireUse, substitute, type Values } from './compare-parameters.ts';

/** Where each side runs; the same folder by default. */
type Places = Readonly<Record<Side, string>>;

interface RequestCircumstances {
  readonly context: CliContext;
  readonly places: Places;
  /** Of the machine; those that are one physical core together. */
  readonly cores: readonly (readonly number[])[];
  readonly seed: number;
  /** Where counters are asked for. */
  readonly counters?: CounterSupport | undefined;
}

/** Which counters can be read, where they are asked for; an error where one that cannot is to decide. */
export async function countersFor(
  { measure, hasCounters }: CompareSettings,
  timer: CommandTimer,
): Promise<CounterSupport | undefined> {
  if (!hasCounters && !isCounter(measure)) return undefined;
  const support = await timer.counters();
  if (!isCounter(measure) || support.counters.includes(measure)) return support;
  throw new NightmarkError(
    'DUET_NO_COUNTERS',
    `--measure ${measure}: ${measureText(measure)} cannot be counted here: ${support.reason}.`,
    { hint: '--measure cpu decides by CPU time, which every Linux machine reports.' },
  );
}

/** One comparison for each combination of parameters. */
export function compareRequests(
  commands: readonly string[],
  settings: CompareSettings,
  circumstances: RequestCircumstances,
): readonly CompareRequest[] {
  const both = requireCommands(commands);
  const { setup, prepare, cleanup, parameters } = settings;
  requireUse(parameters, [...both, ...setup, ...prepare, ...cleanup]);
  const { mode, cores, notes } = chooseMode(settings, circumstances);
  const all = combinations(parameters);
  // Every command of every combination is started in the same way.
  const texts = all.flatMap((values) => both.map((text) => substitute(text, values)));
  const shell = chooseShell(settings.shell, texts, circumstances.context.env['PATH']);
  const isSelf = commands.length === 1;
  return all.map((values) => {
    const side = (side: Side) => makeSide({ side, commands: both, settings, values, shell, circumstances });
    return {
      ...pick(settings),
      sides: { A: side('A'), B: side('B') },
      parameters: values,
      mode,
      seed: circumstances.seed,
      ...(circumstances.counters && { counters: circumstances.counters }),
      ...(cores && { cores }),
      ...(shell.type === 'shell' && { emptyShell: toArgv('', shell) }),
      notes: isSelf ? [SELF, ...notes] : notes,
    };
  });
}

const SELF =
  'One command was given: it is compared with itself. Anything but same or undecided is a false alarm; it shows which differences this machine can resolve.';

function pick(settings: CompareSettings) {
  const { count, warmup, stop, level, minEffect, measure, ignoreFailure, output, timeoutMs } = settings;
  return {
    count,
    warmup,
    stop,
    level,
    minEffect,
    measure,
    ignoreFailure,
    output,
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function requireCommands(commands: readonly string[]): readonly [string, string] {
  const [a, b = a] = commands;
  if (a !== undefined && b !== undefined && commands.length <= 2) return [a, b];
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    a === undefined
      ? 'Which commands should be compared?'
      : `${commands.length} commands were given; a duet has two.`,
    { hint: 'Put each into quotes: nightmark duet "sort -n big.txt" "sort -g big.txt"' },
  );
}

interface SideParts {
  readonly side: Side;
  readonly commands: readonly [string, string];
  readonly settings: CompareSettings;
  readonly values: Values;
  readonly shell: Shell;
  readonly circumstances: RequestCircumstances;
}

function makeSide({ side, commands, settings, values, shell, circumstances }: SideParts): CommandSide {
  const index = side === 'A' ? 0 : 1;
  const command = substitute(commands[index], values);
  const name = settings.names[index];
  // Preparations are not measured, so they always get a shell.
  const aside = (texts: readonly string[]): Argv | undefined => {
    const text = texts[index] ?? texts[0];
    return text === undefined ? undefined : ['sh', '-c', substitute(text, values)];
  };
  const [setup, prepare, cleanup] = [settings.setup, settings.prepare, settings.cleanup].map(aside);
  return {
    name: name === undefined ? side : substitute(name, values),
    command,
    argv: toArgv(command, shell),
    cwd: circumstances.places[side],
    env: circumstances.context.env,
    ...(setup && { setup }),
    ...(prepare && { prepare }),
    ...(cleanup && { cleanup }),
  };
}

function chooseMode(settings: CompareSettings, { cores }: RequestCircumstances) {
  const count = cores.flat().length;
  const mode: PairMode = settings.mode ?? (count >= 2 ? 'together' : 'alternate');
  const notes: string[] = [];
  if (settings.mode === undefined && mode === 'alternate') {
    notes.push('There is one core: the sides take turns (--alternate) instead of running together.');
  }
  if (!settings.isPinned) return { mode, notes };
  const halves = splitCores(cores);
  if (!halves) {
    throw new NightmarkError('CLI_INVALID_OPTION', `--pin needs at least two cores; there is ${count}.`, {
      hint: 'Leave out --pin, and use --alternate.',
    });
  }
  return { mode, cores: halves, notes };
}

/** How commands are started: without a shell, or by one. */
type Shell = { readonly type: 'none' } | { readonly type: 'shell'; readonly argv: Argv };

/** Without a choice: none, unless one of the commands needs it; both sides are started alike. */
export function chooseShell(
  choice: string | undefined,
  commands: readonly string[],
  path: string | undefined,
): Shell {
  if (choice === 'none') return { type: 'none' };
  if (choice !== undefined && choice !== 'default')
    return { type: 'shell', argv: splitWords(choice, '--shell') };
  return commands.every((command) => isPlain(command, path))
    ? { type: 'none' }
    : { type: 'shell', argv: ['sh'] };
}

export function toArgv(command: string, shell: Shell): Argv {
  if (shell.type === 'shell') return [...shell.argv, '-c', command];
  return splitWords(command, 'The command');
}

/** Only words, and the first is a program: cd, exit and the like are built into shells. */
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

function splitWords(text: string, what: string): Argv {
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
