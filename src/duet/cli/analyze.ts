import type { Format } from '../../formats/core/format.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import {
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell-quote.ts';
import { analyzeDuets } from '../app/analyze-duets.ts';
import type { DuetAnalysis } from '../core/analysis/duet-analysis.ts';
import type { DuetIterations } from '../core/duet-iterations.ts';
import { duetReport } from '../core/report/duet-report.ts';
import { readAnalysisOptions } from './analysis-options.ts';
import { analysisText } from './analysis-text.ts';
import { compatText, isSlowerByOriginal } from './compat-text.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<source...>', 'tables of "duet process", or folders of results; joined')
      .option('--json', 'print everything as JSON')
      .option('--html <file>', 'write a report that opens from disk')
      .option('--compat', "pairs, warm-up, labels and verdicts as in the original's analysis")
      .option('--level <percent>', 'certainty of intervals and verdicts (default: 95%)')
      .option('--min-effect <percent>', 'smallest effect of interest: less is "same" (default: 1%)')
      .option('--min-overlap <share>', 'pairs must overlap by more than this share of both (default: 0)')
      .option('--warmup <rule>', 'what to cut: steady, half or none (default: steady)')
      .option('--slowdown <percent>', 'judge as if every iteration of B took this much longer (default: 0%)')
      .option('--fdr <percent>', 'false discoveries among all differences that are named (default: 5%)')
      .option('--seed <number>', 'for what is resampled (default: 1)')
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
    return options['fail'] === false ? EXIT.fine : exitCode(analysis);
  },
};

export default command;

const HELP = `
Exit code 3 when a benchmark is slower, 2 when nothing can be compared. docs/guide/duet-analysis.md says how it is judged.`;

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

function exitCode({ groups, options }: DuetAnalysis): ExitCode {
  const isComparable = ({ judgement, thesis }: (typeof groups)[number]) => {
    return options.compat ? thesis !== undefined : judgement.effect !== undefined;
  };
  if (!groups.some(isComparable)) return EXIT.nothingToCompare;
  const isSlower = groups.some((group) => {
    return options.compat ? isSlowerByOriginal(group) : group.judgement.verdict === 'slower';
  });
  return isSlower ? EXIT.regression : EXIT.fine;
}
