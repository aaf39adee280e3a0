import type { PairBuild } from '../../git/core/version-pairs.ts';
import type { DuetBlock } from '../../home/config/duet-block.ts';
import { flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { readCompareOptions } from './compare-options.ts';

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

/** Puts together what was typed and what nightmark.yml says; mistakes are said before anything is built. */
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
  const { minEffect, allow, runs } = block ?? {};
  const hasCount = ['runs', 'minRuns', 'maxRuns'].some((name) => options[name] !== undefined);
  return {
    ...(minEffect !== undefined && { minEffect: percent(minEffect) }),
    ...(allow !== undefined && { allow: percent(allow) }),
    ...(runs !== undefined && !hasCount && { runs: String(runs) }),
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
