import type { Options } from '../../platform/cli/command.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import type { Comparison } from '../core/comparison.ts';
import { JOIN } from './compare-parameters.ts';

export interface Retyped {
  readonly typed: Options;
  /** Of the command; empty when it comes from nightmark.yml, where the next one finds it too. */
  readonly typedWords: readonly string[];
}

/** The command line for the same comparison again: what was a name, a guess or chance is said exactly. */
export function retypeAgainst(
  { typed, typedWords }: Retyped,
  {
    commit,
    comparison: { mode, planned, seed },
  }: { readonly commit: string; readonly comparison: Comparison },
): string {
  const words = Object.entries(typed).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name) || value === undefined || value === false || value === USUAL[name]) return [];
    const flag =
      name.length === 1 ? `-${name}` : `--${name.replaceAll(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`;
    if (value === true) return [flag];
    const values = typeof value === 'string' ? [value] : value;
    return values.flatMap((one) => [flag, ...one.split(JOIN)]);
  });
  const hasCount = ['runs', 'minRuns', 'maxRuns'].some((name) => typed[name] !== undefined);
  const pairs = hasCount || typed['stop'] === 'when-decided' ? [] : ['--runs', String(planned)];
  const chosen = [`--${mode}`, ...pairs, '--seed', String(seed)];
  const all = ['nightmark', 'duet', '--against', commit, '--base', 'ref', ...words, ...chosen];
  const command = typedWords.length === 0 ? [] : ['--', ...typedWords];
  return [...all, ...command].map(shellQuote).join(' ');
}

/** Where results go is no part of the comparison; the rest is said anew. */
const LEFT_OUT = new Set([
  ...['against', 'base', 'seed', 'rebuild', 'summary', 'json', 'quiet', 'fail'],
  ...['together', 'alternate', 'oneAfterAnother'],
  ...['exportJson', 'exportCsv', 'exportMarkdown'],
]);

/** Filled in by the parser. */
const USUAL: Options = { warmup: '1', level: '95%', stop: 'never', output: 'errors' };
