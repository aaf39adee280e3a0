import type { PairBuild } from '../../git/core/version-pairs.ts';
import type { DuetBlock } from '../../home/config/duet-block.ts';
import { flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import type { Comparison } from '../core/comparison.ts';
import { readCompareOptions } from './compare-options.ts';
import { JOIN } from './compare-parameters.ts';

export interface AgainstWords {
  readonly ref: string;
  /** The command, in one word or in several. */
  readonly words: readonly string[];
}

export interface AgainstPlan {
  readonly ref: string;
  readonly base: 'merge-base' | 'ref';
  readonly command: string;
  readonly runIn: PairBuild['in'];
  readonly build?: PairBuild;
  /** As if all of it had been typed. */
  readonly options: Options;
  /** What really was. */
  readonly typed: Options;
  /** Empty where the command comes from the block. */
  readonly typedWords: readonly string[];
}

/** Puts together what was typed and what nightmark.yml says; mistakes are reported before anything is built. */
export function planAgainst(
  { ref, words }: AgainstWords,
  typed: Options,
  block: DuetBlock | undefined,
): AgainstPlan {
  const options = withBlock(typed, block);
  const base = readBase(options);
  readCompareOptions(options);
  const command = (words.length === 1 ? words[0] : words.map(shellQuote).join(' ')) || block?.run;
  if (command === undefined) throw noCommand(ref, block);
  const build = toBuild(options, block);
  const runIn = words.length > 0 ? 'dir' : 'root';
  return { ref, base, command, runIn, ...(build && { build }), options, typed, typedWords: words };
}

function readBase(options: Options): AgainstPlan['base'] {
  if (flag(options, 'json') && textOption(options, 'summary') === '-') {
    throw new NightmarkError('CLI_INVALID_OPTION', '--json and --summary - both go to stdout.', {
      hint: 'Write the summary to a file.',
    });
  }
  const base = textOption(options, 'base') ?? 'merge-base';
  if (base === 'merge-base' || base === 'ref') return base;
  throw new NightmarkError('CLI_INVALID_OPTION', `--base cannot be "${base}".`, {
    hint: 'One of: merge-base, ref.',
  });
}

/** What is typed happens where it is typed; what the file says, where the file is. */
function toBuild(options: Options, block: DuetBlock | undefined): PairBuild | undefined {
  const again = flag(options, 'rebuild');
  const typed = textOption(options, 'build');
  if (typed !== undefined) return { command: typed, in: 'dir', again };
  return block?.build === undefined ? undefined : { command: block.build, in: 'root', again };
}

/** What the block says counts where nothing was typed. */
function withBlock(options: Options, block: DuetBlock | undefined): Options {
  const percent = (fraction: number) => `${Number((fraction * 100).toPrecision(12))}%`;
  const { minEffect, allow, runs, measure } = block ?? {};
  const hasCount = ['runs', 'minRuns', 'maxRuns'].some((name) => options[name] !== undefined);
  return {
    ...(minEffect !== undefined && { minEffect: percent(minEffect) }),
    ...(allow !== undefined && { allow: percent(allow) }),
    ...(runs !== undefined && !hasCount && { runs: String(runs) }),
    ...(measure !== undefined && { measure }),
    ...options,
  };
}

function noCommand(ref: string, block: DuetBlock | undefined): NightmarkError {
  return new NightmarkError(
    'CLI_INVALID_OPTION',
    block
      ? `The block "duet" of ${block.file} has no "run", and no command was given.`
      : 'What should be measured?',
    { hint: `For example: nightmark duet --against ${ref} --build make -- ./bench --all` },
  );
}

interface Retyped {
  readonly typed: Options;
  /** Of the command; empty when it comes from nightmark.yml, where the next one finds it too. */
  readonly typedWords: readonly string[];
}

/** The command line for the same comparison again: names, defaults and random choices are written out. */
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

/** Options that say where results go are not part of the comparison; the others are written out again. */
const LEFT_OUT = new Set([
  ...['against', 'base', 'seed', 'rebuild', 'summary', 'json', 'quiet', 'fail'],
  ...['together', 'alternate', 'oneAfterAnother'],
  ...['exportJson', 'exportCsv', 'exportMarkdown'],
]);

/** Filled in by the parser. */
const USUAL: Options = { warmup: '1', level: '95%', stop: 'never', output: 'errors' };
