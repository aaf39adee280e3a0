import type { Command as Parser } from 'commander';
import type { CommandTimer } from '../../duet/core/command-timer.ts';
import type { CommitRange } from '../../git/core/commit-history.ts';
import { readLedger } from '../../home/app/ledger-file.ts';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { readDuetBlock } from '../../home/config/duet-block.ts';
import { withHomeStore } from '../../judge/cli/changes/open-home.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { optional, readPercent, wholeNumber } from '../../platform/cli/option-values.ts';
import { DURATION, LONGEST_TIMEOUT_MS, parseDuration } from '../../platform/config/durations-and-sizes.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { chooseMetric, knownSeries, type MetricOption } from '../app/choose-metric.ts';
import { type MetricRequest, WALL_NAME } from '../core/bisect-metric.ts';
import type { BisectPlan, BisectWork } from '../core/bisect-plan.ts';
import { CPU } from '../core/evidence.ts';
import { usualBuilds } from '../core/remaining.ts';
import { type GitControl, openRange } from './bisect-world.ts';

/** The options of a search, understood. */
export interface BisectSettings {
  readonly certainty: number;
  readonly minEffect: number;
  readonly mostPairs?: number;
  readonly mostBuilds?: number;
  readonly timeoutMs?: number;
  readonly seed?: number;
  readonly mode?: 'together' | 'alternate';
  readonly parents: 'first' | 'all';
  readonly likelyPaths: readonly string[];
}

export function configureBisect(parser: Parser): void {
  parser
    .argument('[experiment]', 'an experiment of a home; or, after --, a command in a git repository')
    .argument('[words...]', 'the command')
    .usage('EXPERIMENT --good REF [options]\n       nightmark bisect --good REF [options] -- command')
    .option('--good <ref>', 'a commit, tag or branch from before the change')
    .option('--bad <ref>', 'one that has the change (default: HEAD, or the ref of the source)')
    .option('--home <dir>', 'the home of the experiment (default: this folder)')
    .option('--source <name>', 'which source of the experiment, where it has several')
    .option(
      '--metric <name>',
      'which value of the experiment, as "nightmark changes" shows it (default: the one with an open change, or the only one); of a command: wall or cpu time alone (default: whichever decides first)',
    )
    .option('--build <command>', 'builds each commit before it is measured')
    .option('--certainty <percent>', 'how sure the answer has to be', '95%')
    .option('--min-effect <percent>', 'smallest difference of good and bad that counts', '1%')
    .option('--pairs <n>', 'at most so many pairs of one commit (default: as many as the noise requires)')
    .option(
      '--builds <n>',
      'at most so many builds; commits are built again where builds of one commit differ (default: by the number of commits, see --dry-run)',
    )
    .option('--timeout <duration>', 'a commit on which a pair takes longer is skipped')
    .option('--all-parents', 'search merged branches too, not only the line of first parents')
    .option('--likely <path>', 'commits that touch it are ten times as suspect; may be repeated', collect)
    .option('--together', 'both sides of a pair at once (the default with two cores or more)')
    .option('--alternate', 'one side of a pair after the other')
    .option('--seed <number>', 'seed of the order of starts')
    .option('--resume [id]', 'go on with a search that was interrupted')
    .option('--dry-run', 'print what would be searched, and measure nothing')
    .option('--summary <file>', 'write the answer as Markdown')
    .option('--json', 'print the answer as JSON')
    .option('-q, --quiet', 'no progress')
    .addOption(parser.createOption('--command').hideHelp())
    .addHelpText(
      'after',
      '\nExit codes: 0 found, 1 error, 2 good and bad do not differ, 5 no commit can be named, 130 interrupted.\nFor example: nightmark bisect --good v1.2 --bad main --build make -- ./bench --all\n         or: nightmark bisect sort --home nights --good 1f2e3d4 --certainty 99%\n         or: nightmark bisect sort --home nights --good v1.2 --metric latency/p99\n         or: nightmark bisect --resume',
    );
}

/** Words behind -- are a command; without it the first word is an experiment. */
export function markCommand(words: readonly string[]): readonly string[] {
  const at = words.indexOf('--');
  return at < 0 ? words : [...words.slice(0, at), '--command', ...words.slice(at)];
}

function readBisectOptions(options: Options): BisectSettings {
  const isTogether = flag(options, 'together');
  if (isTogether && flag(options, 'alternate'))
    throw invalid('--together and --alternate exclude each other.', 'Choose one.');
  const certainty = readPercent(textOption(options, 'certainty') ?? '95%', 'certainty');
  if (!(certainty > 0.5 && certainty < 1))
    throw invalid('--certainty has to lie between 50% and 100%.', 'For example: --certainty 99%');
  const mostPairs = optional(options, 'pairs', wholeNumber(2, 1e5));
  const mostBuilds = optional(options, 'builds', wholeNumber(2, 1e4));
  const timeoutMs = optional(options, 'timeout', readTimeout);
  const seed = optional(options, 'seed', wholeNumber(0, 2 ** 32 - 1));
  const likely = options['likely'];
  return {
    certainty,
    minEffect: readPercent(textOption(options, 'minEffect') ?? '1%', 'min-effect'),
    ...(mostPairs !== undefined && { mostPairs }),
    ...(mostBuilds !== undefined && { mostBuilds }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(seed !== undefined && { seed }),
    ...(isTogether && { mode: 'together' }),
    ...(flag(options, 'alternate') && { mode: 'alternate' }),
    parents: flag(options, 'allParents') ? 'all' : 'first',
    likelyPaths: Array.isArray(likely) ? likely : [],
  };
}

function readTimeout(text: string): number {
  const ms = parseDuration(/^\d+(\.\d+)?$/.test(text) ? `${text}s` : text);
  if (ms !== undefined && ms <= LONGEST_TIMEOUT_MS) return ms;
  throw invalid(`--timeout "${text}" is not ${DURATION}.`, 'For example: --timeout 10s');
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function invalid(message: string, hint: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', message, { hint });
}

export interface Means {
  readonly control: GitControl;
  readonly timer: CommandTimer;
  readonly context: CliContext;
}

/** The options as a plan with full hashes; mistakes are reported before anything is built. */
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
  const measure = commandMeasure(options, work);
  const plan: BisectPlan = {
    ...{ good: range.good.commit, bad: range.commits.at(-1)?.commit ?? '', parents, likelyPaths, work },
    ...{ certainty, minEffect, ...(mostPairs !== undefined && { mostPairs }) },
    mostBuilds: settings.mostBuilds ?? usualBuilds(range.commits.length),
    ...(measure !== undefined && { measure }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    mode: mode ?? (cores >= 2 ? 'together' : 'alternate'),
    seed: seed ?? context.randomSeed(),
  };
  return { plan, range };
}

/** Which measure of the runs is compared, where it is named. */
function commandMeasure(options: Options, work: BisectWork): string | undefined {
  const name = textOption(options, 'metric');
  return name === WALL_NAME || (name === CPU && work.type === 'command') ? name : undefined;
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
    return {
      type: 'experiment',
      home: dir,
      experiment,
      source,
      metric: await metricRequest(request, dir, context),
    };
  }
  if (metric !== undefined && metric !== WALL_NAME && metric !== CPU) throw strayMetric(metric);
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
export async function metricRequest(
  request: MetricOption,
  home: string,
  context: CliContext,
): Promise<MetricRequest> {
  const { ledger } = await readLedger(home, context.disk);
  return withHomeStore(home, context, async (store) => {
    const series = store ? await knownSeries(request.experiment, store) : [];
    return chooseMetric(request, { series, changes: ledger.changes.values() });
  });
}

/** Where a resumed search is expected: the home that was named, or the repository of this folder. */
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
    hint: 'Of a command behind -- its time is compared: --metric wall or --metric cpu.',
  });
}

function tooMany(words: readonly string[]): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', `One experiment can be searched, not ${words.length}.`, {
    hint: `Put a command behind --: nightmark bisect --good REF -- ${words.map(shellQuote).join(' ')}`,
  });
}
