import type { Format } from '../../formats/core/format.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { oneOf, readLevel, readPercent, wholeNumber } from '../../platform/cli/option-values.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { analyzeDuets } from '../app/analyze-duets.ts';
import { type AnalysisOptions, COMPAT_ANALYSIS, type DuetAnalysis } from '../core/analysis/duet-analysis.ts';
import { isRegression } from '../core/comparison.ts';
import type { DuetIterations } from '../core/duet-iterations.ts';
import { duetReport } from '../core/report/duet-report.ts';
import { analysisText, compatText, isSlowerByOriginal } from './analysis-text.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<source...>', 'tables of "duet process", or folders of results; joined')
      .option('--json', 'print everything as JSON')
      .option('--html <file>', 'write a report that opens from disk')
      .option('--compat', "pairs, warm-up, labels and verdicts as in the original's analysis")
      .option('--level <percent>', 'certainty of intervals and verdicts (default: 95%)')
      .option(
        '--min-effect <percent>',
        'smallest effect of interest: less is "same", surely more an alarm (default: 1%)',
      )
      .option('--or-likely', 'exit code 3 also when a benchmark is only likely slower by more than that')
      .option('--min-overlap <share>', 'pairs must overlap by more than this share of both (default: 0)')
      .option('--warmup <rule>', 'what to cut: steady, half or none (default: steady)')
      .option('--slowdown <percent>', 'judge as if every iteration of B took this much longer (default: 0%)')
      .option('--fdr <percent>', 'false discoveries among all differences that are named (default: 5%)')
      .option('--seed <number>', 'seed of resampling (default: 1)')
      .option('--no-fail', 'exit with 0 also when something is slower, or nothing can be compared')
      .addHelpText('after', HELP);
  },

  async run(args, options, context) {
    const { cwd, disk, clock, signal, stdout } = context;
    const settings = readAnalysisOptions(options);
    const html = textOption(options, 'html');
    const isShown = flag(options, 'json') || settings.compat || html !== undefined;
    const formats = await loadAll<Format>('formats');
    const { analysis, runs } = await analyzeDuets(
      { sources: args.map((source) => resolvePath(cwd, source)), options: settings, withOthers: isShown },
      { disk, clock, formats, signal },
    );
    if (html !== undefined)
      await writeReport(resolvePath(cwd, html), { analysis, runs, args, options }, context);
    const text = settings.compat ? compatText : analysisText;
    stdout.write(flag(options, 'json') ? `${JSON.stringify(analysis)}\n` : text(analysis, stdout));
    return options['fail'] === false ? EXIT.fine : exitCode(analysis, flag(options, 'orLikely'));
  },
};

export default command;

const HELP = `
Exit code 3 when a benchmark is surely slower by more than --min-effect, 2 when nothing can be compared. docs/guide/duet-analysis.md says how it is judged.`;

interface Reported {
  readonly analysis: DuetAnalysis;
  readonly runs: readonly DuetIterations[];
  readonly args: readonly string[];
  readonly options: Options;
}

async function writeReport(
  file: string,
  { analysis, runs, args, options }: Reported,
  { disk, clock, version, stderr }: CliContext,
): Promise<void> {
  const page = duetReport(analysis, runs, {
    title: `Duets of ${args.map(baseName).join(', ')}`,
    generatedAt: new Date(clock.now()).toISOString(),
    version,
    sources: args,
    command: `nightmark duet analyze ${[...args, ...givenOptions(options)].map(shellQuote).join(' ')}`,
  });
  await disk.writeText(file, page);
  stderr.write(`Wrote ${file}\n`);
}

/** As they would be typed again. */
function givenOptions(options: Options): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (name === 'fail') return value === false ? ['--no-fail'] : [];
    if (value === true) return [option];
    return typeof value === 'string' ? [`${option}=${value}`] : [];
  });
}

function exitCode({ groups, options }: DuetAnalysis, orLikely: boolean): ExitCode {
  const isComparable = ({ judgement, thesis }: (typeof groups)[number]) => {
    return options.compat ? thesis !== undefined : judgement.effect !== undefined;
  };
  if (!groups.some(isComparable)) return EXIT.nothingToCompare;
  const isSlower = groups.some((group) => {
    return options.compat ? isSlowerByOriginal(group) : isRegression(group, { allow: 0, orLikely });
  });
  return isSlower ? EXIT.regression : EXIT.fine;
}

/** The options of an analysis, understood. Under --compat what is not given is as in the original. */
function readAnalysisOptions(options: Options): AnalysisOptions {
  const compat = flag(options, 'compat');
  const usual = compat
    ? ([COMPAT_ANALYSIS.warmup, 'steady', 'none'] as const)
    : (['steady', 'half', 'none'] as const);
  return {
    level: readLevel(textOption(options, 'level') ?? '95%'),
    minEffect: readPercent(textOption(options, 'minEffect') ?? '1%', 'min-effect'),
    minOverlap: readOverlap(
      textOption(options, 'minOverlap') ?? (compat ? String(COMPAT_ANALYSIS.minOverlap) : '0'),
    ),
    warmup: oneOf(options, 'warmup', usual),
    pairing: compat ? COMPAT_ANALYSIS.pairing : 'exact',
    fdr: readPercent(textOption(options, 'fdr') ?? '5%', 'fdr'),
    seed: wholeNumber(0, 2 ** 32 - 1)(textOption(options, 'seed') ?? '1', 'seed'),
    slowdown: readSlowdown(textOption(options, 'slowdown') ?? '0%'),
    compat,
  };
}

/** A share of both iterations, as a fraction or a percentage; all of both at once would leave nothing. */
function readOverlap(text: string): number {
  const share = text.includes('%') ? readPercent(text, 'min-overlap') : Number(text.trim() || Number.NaN);
  if (share >= 0 && share < 1) return share;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `--min-overlap "${text}" is not a share from 0 to below 1.`,
    {
      hint: 'For example: --min-overlap 0.4',
    },
  );
}

/** May be a speed-up: -5% makes every iteration of B a twentieth shorter. */
function readSlowdown(text: string): number {
  const [, sign, rest] = /^\s*([+-]?)(.*)$/s.exec(text) ?? [];
  const fraction = (sign === '-' ? -1 : 1) * readPercent(rest ?? '', 'slowdown');
  if (fraction > -1) return fraction;
  throw new NightmarkError('CLI_INVALID_OPTION', `--slowdown "${text}" leaves no time to measure.`, {
    hint: 'For example: --slowdown 5%',
  });
}
