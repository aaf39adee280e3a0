import type { CommandTimer } from '../../duet/core/command-timer.ts';
import type { CommitRange } from '../../git/core/commit-history.ts';
import { readLedger } from '../../home/app/ledger-file.ts';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { readDuetBlock } from '../../home/config/duet-block.ts';
import { withHomeStore } from '../../judge/cli/changes/open-home.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { chooseMetric, knownSeries, type MetricRequest } from '../app/stored-metric.ts';
import type { BisectPlan, BisectWork } from '../core/journal.ts';
import { type MetricWish, WALL_NAME } from '../core/metric.ts';
import { readBisectOptions } from './bisect-options.ts';
import { type GitControl, openRange } from './bisect-world.ts';

export interface Means {
  readonly control: GitControl;
  readonly timer: CommandTimer;
  readonly context: CliContext;
}

/** What was typed, as a plan with full hashes; mistakes are said before anything is built. */
export async function makePlan(
  words: readonly string[],
  options: Options,
  { control, timer, context }: Means,
): Promise<{ readonly plan: BisectPlan; readonly range: CommitRange }> {
  const settings = readBisectOptions(options);
  const good = textOption(options, 'good');
  if (good === undefined) throw noGood();
  const work = await readWork(words, options, { control, context });
  const bad = textOption(options, 'bad') ?? (work.type === 'command' ? 'HEAD' : '');
  const { parents, likelyPaths, certainty, minEffect, mostPairs, timeoutMs, mode, seed } = settings;
  const { range } = await openRange({ good, bad, parents, likelyPaths, work }, control, context);
  const cores = (await timer.cores()).flat().length;
  const plan: BisectPlan = {
    ...{ good: range.good.commit, bad: range.commits.at(-1)?.commit ?? '', parents, likelyPaths, work },
    ...{ certainty, minEffect, ...(mostPairs !== undefined && { mostPairs }) },
    ...(timeoutMs !== undefined && { timeoutMs }),
    mode: mode ?? (cores >= 2 ? 'together' : 'alternate'),
    seed: seed ?? context.randomSeed(),
  };
  return { plan, range };
}

async function readWork(
  words: readonly string[],
  options: Options,
  { control, context }: Pick<Means, 'control' | 'context'>,
): Promise<BisectWork> {
  const home = textOption(options, 'home');
  const metric = textOption(options, 'metric');
  const [experiment, ...rest] = words;
  if (experiment !== undefined && !flag(options, 'command')) {
    if (rest.length > 0) throw tooMany(words);
    const source = textOption(options, 'source') ?? '';
    const dir = await homeArgument(home, context);
    const request = { experiment, ...(metric !== undefined && { name: metric }) };
    return { type: 'experiment', home: dir, experiment, source, metric: await wishOf(request, dir, context) };
  }
  if (metric !== undefined && metric !== WALL_NAME) throw strayMetric(metric);
  const dir = context.cwd;
  const root = (await control.describe(dir))?.root;
  const block = root === undefined ? undefined : await readDuetBlock(root, context.disk);
  const command = (words.length === 1 ? words[0] : words.map(shellQuote).join(' ')) || block?.run;
  if (command === undefined || home !== undefined) throw noCommand();
  const typed = textOption(options, 'build');
  const build =
    typed !== undefined
      ? ({ command: typed, in: 'dir' } as const)
      : block?.build !== undefined && ({ command: block.build, in: 'root' } as const);
  const runIn = words.length > 0 ? 'dir' : 'root';
  return { type: 'command', dir: resolvePath(dir, '.'), command, runIn, ...(build && { build }) };
}

/** What nights know of the metrics of an experiment decides before anything is built. */
export async function wishOf(request: MetricRequest, home: string, context: CliContext): Promise<MetricWish> {
  const { ledger } = await readLedger(home, context.disk);
  return withHomeStore(home, context, async (store) => {
    const series = store ? await knownSeries(request.experiment, store) : [];
    return chooseMetric(request, { series, changes: ledger.changes.values() });
  });
}

/** Where a resumed search is looked for: the home that was named, or the repository of this folder. */
export async function resumeFolder(
  options: Options,
  { control, context }: Omit<Means, 'timer'>,
): Promise<string> {
  const home = textOption(options, 'home');
  if (home !== undefined) return joinPath(await homeArgument(home, context), '.nightmark/bisect');
  return joinPath(await control.findGitDir(context.cwd, context.env, context.signal), 'nightmark/bisect');
}

function noGood(): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', 'Which commit was still good?', {
    hint: 'For example: nightmark bisect --good v1.2 --bad main --build make -- ./bench',
  });
}

function noCommand(): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', 'What should be measured?', {
    hint: 'An experiment of a home (nightmark bisect NAME --home DIR --good REF), or a command behind --.',
  });
}

function strayMetric(metric: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', `--metric ${metric} goes with an experiment of a home.`, {
    hint: 'Of a command behind -- its time is compared.',
  });
}

function tooMany(words: readonly string[]): NightmarkError {
  return new NightmarkError(
    'CLI_INVALID_OPTION',
    `One experiment can be searched, not ${words.length} words.`,
    {
      hint: `Put a command behind --: nightmark bisect --good REF -- ${words.map(shellQuote).join(' ')}`,
    },
  );
}
