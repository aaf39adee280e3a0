import type { RunOptions } from '../../../home/core/journal.ts';
import type { Run, Trial } from '../../../home/core/run.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import type { JournalFacts } from './journal-facts.ts';

/** A command to type, in its parts before and after the path of the home, which is not shown everywhere. */
export interface RepeatCommand {
  readonly start: string;
  readonly rest: string;
  readonly purpose: string;
}

/** The commands that do what the run did, or what is left of it. */
export function repeatCommands({ run, trials, journal }: RepeatedRun): readonly RepeatCommand[] {
  if (run.kind === 'import') return journal.imported ? [importAgain(journal.imported, trials[0])] : [];
  if (run.kind === 'duet' && run.origin === 'imported') return [PROCESS_AGAIN];
  if (run.kind !== 'night' || run.origin !== 'measured') return [];
  const start = 'nightmark run';
  const again = typed([...seedOf(run), ...chosen(journal.options)]);
  const failed = trials.filter(({ state }) => state === 'failed').map(({ task }) => task);
  const isPart = failed.length > 0 && failed.length < trials.length && failed.every(isListable);
  const some = typed([...seedOf(run), ...buildOf(journal.options), '--only', failed.join(',')]);
  const onlyFailed = failed.length === 1 ? 'only what failed' : `only the ${failed.length} tasks that failed`;
  return [
    ...(run.state === 'interrupted'
      ? [{ start, rest: '--resume', purpose: 'complete what was interrupted' }]
      : []),
    { start, rest: again, purpose: 'the same run again' },
    ...(isPart ? [{ start, rest: some, purpose: onlyFailed }] : []),
  ];
}

interface RepeatedRun {
  readonly run: Run;
  readonly trials: readonly Trial[];
  readonly journal: JournalFacts;
}

const PROCESS_AGAIN: RepeatCommand = {
  start: 'nightmark duet process RESULTS --store',
  rest: '',
  purpose: 'save the times of a folder of results, as this run was',
};

/** A name with a comma would be two names. */
function isListable(name: string): boolean {
  return !name.includes(',') && name.trim() === name;
}

function chosen(options: RunOptions | undefined): readonly string[] {
  const lists = (['only', 'skip'] as const).flatMap((option) => {
    const names = options?.[option];
    return Array.isArray(names) && names.length > 0 ? [`--${option}`, names.join(',')] : [];
  });
  return [...lists, ...buildOf(options)];
}

function buildOf(options: RunOptions | undefined): readonly string[] {
  return options?.build === false ? ['--no-build'] : [];
}

function seedOf({ seed }: Run): readonly string[] {
  return seed === undefined ? [] : ['--seed', String(seed)];
}

function importAgain(
  { file, format }: NonNullable<JournalFacts['imported']>,
  trial: Trial | undefined,
): RepeatCommand {
  const [[source, commit] = []] = Object.entries(trial?.commits ?? {});
  const args = ['--format', format];
  if (trial) args.push('--experiment', trial.task);
  if (source !== undefined && commit !== undefined) args.push('--commit', commit, '--source', source);
  return {
    start: `nightmark import ${shellQuote(file)} --home`,
    rest: typed(args),
    purpose: 'import the file again; what the home has already is left alone',
  };
}

function typed(args: readonly string[]): string {
  return args.map(shellQuote).join(' ');
}
