import type { RunOptions } from '../../core/model/journal.ts';
import type { Run, Trial } from '../../core/model/run.ts';
import { shellQuote } from '../../core/text/shell-quote.ts';
import type { JournalFacts } from './journal-facts.ts';

/** A command to type, and what it does. */
export interface RepeatCommand {
  readonly command: string;
  readonly purpose: string;
}

/** The commands that do what the run did, or what is left of it. */
export function repeatCommands(
  {
    run,
    trials,
    journal,
  }: { readonly run: Run; readonly trials: readonly Trial[]; readonly journal: JournalFacts },
  home: string,
): readonly RepeatCommand[] {
  if (run.kind === 'import') return journal.imported ? [importAgain(journal.imported, trials[0], home)] : [];
  if (run.kind === 'duet' && run.origin === 'imported') return [processAgain(home)];
  if (run.kind !== 'night' || run.origin !== 'measured') return [];
  const words = ['nightmark', 'run', home, ...seedOf(run)];
  const again = { command: typed([...words, ...chosen(journal.options)]), purpose: 'the same run again' };
  const failed = trials.filter(({ state }) => state === 'failed').map(({ task }) => task);
  const isPart = failed.length > 0 && failed.length < trials.length && failed.every(isListable);
  const rest = {
    command: typed([...words, ...buildOf(journal.options), '--only', failed.join(',')]),
    purpose: failed.length === 1 ? 'only what failed' : `only the ${failed.length} tasks that failed`,
  };
  const resume = {
    command: typed(['nightmark', 'run', home, '--resume']),
    purpose: 'complete what was interrupted',
  };
  return [...(run.state === 'interrupted' ? [resume] : []), again, ...(isPart ? [rest] : [])];
}

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
  home: string,
): RepeatCommand {
  const [[source, commit] = []] = Object.entries(trial?.commits ?? {});
  const words = ['nightmark', 'import', file, '--home', home, '--format', format];
  if (trial) words.push('--experiment', trial.task);
  if (source !== undefined && commit !== undefined) words.push('--commit', commit, '--source', source);
  return { command: typed(words), purpose: 'import the file again; what the home has already is left alone' };
}

function processAgain(home: string): RepeatCommand {
  const command = `nightmark duet process RESULTS --store ${shellQuote(home)}`;
  return { command, purpose: 'save the times of a folder of results, as this run was' };
}

function typed(words: readonly string[]): string {
  return words.map(shellQuote).join(' ');
}
