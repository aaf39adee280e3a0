import { ALLOW_UNKNOWN } from '../../judge/cli/changes/gate-exit.ts';
import { NEWEST_DEFAULTS } from '../../judge/core/newest/judge-newest.ts';
import type { RegressionAnalysis } from '../../judge/core/regression/analysis.ts';
import type { AnalysisRules } from '../../judge/core/regression/analyze.ts';
import { METHODS, methodNamed } from '../../judge/core/regression/methods.ts';
import type { RegressionMethod } from '../../judge/core/regression/regression-method.ts';
import { summarizeAnalysis, summaryYaml } from '../../judge/core/regression/regression-summary.ts';
import { analysisHtml } from '../../judge/core/regression/report-html.ts';
import { analysisJson, undirectedKpis } from '../../judge/core/regression/report-json.ts';
import { analysisMarkdown } from '../../judge/core/regression/report-markdown.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  listOption,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { dirName, joinPath, resolvePath } from '../../platform/core/path.ts';
import { type AnalyzedResults, analyzeResults } from '../app/analyze-results.ts';
import { payloadRulesOf } from '../app/make-payloads.ts';
import { openRegressions, readHistories } from './analyze-history.ts';
import { analysisNotes, analysisText } from './analyze-text.ts';
import { loadWorkload } from './load-workload.ts';
import {
  addParseOptions,
  describeParseProblems,
  matrixEffects,
  noResults,
  parseRequest,
} from './parse-options.ts';

const command: CommandModule = {
  configure(parser) {
    addParseOptions(parser)
      .requiredOption(
        '--history <source>',
        'what to compare with: a folder of payloads, a KPI file, a home; may be given again',
        (source: string, others: readonly string[] = []) => [...others, source],
      )
      .option('--method <name>', `${METHOD_NAMES.join(', ')} (default: ${METHOD_NAMES[0]})`)
      .option('--kpi <text>', 'only KPIs whose name contains this')
      .option(
        '--min-effect <fraction>',
        'smallest change of interest: less is the same, surely more an alarm; 2% or 0.02 (default: 1%)',
      )
      .option('--or-likely', 'exit code 3 also when a KPI is only likely worse by more than that')
      .option('--order <order>', 'of the history: version or time (default: version where all are versions)')
      .option('--html <file>', 'also write the report as one page')
      .option('--markdown <file>', 'also write it for a pull request')
      .option('--summary <file>', 'also write the counts as YAML')
      .option(...ALLOW_UNKNOWN)
      .option('--json', 'print everything that was found as JSON')
      .addHelpText('after', HELP);
  },

  async run([dir = ''], options, context) {
    const { cwd, stderr, stdout } = context;
    const rules = analysisRules(options);
    const workload = await loadWorkload(textOption(options, 'workload') ?? '', context);
    payloadRulesOf(workload);
    const request = parseRequest(dir, options, { workload, cwd });
    const sources = listOption(options, 'history');
    const history = readHistories(sources, options, context);
    const open = await openRegressions(sources, context);
    const analyzed = await analyzeResults(
      { request, history, rules: { ...rules, open } },
      matrixEffects(context),
    );
    const { analysis, made } = analyzed;
    stderr.write(describeParseProblems(made.report) + failures(analyzed) + analysisNotes(analyzed));
    if (analysis.entries.length === 0 && analysis.left.entries.length === 0)
      throw noResults(dir, 'KPIs', made.report);
    await writeReports(analysis, { dir, options }, context);
    stdout.write(
      flag(options, 'json') ? `${JSON.stringify(analysisJson(analysis), null, 2)}\n` : analysisText(analysis),
    );
    return exitCodeOf(analyzed, { options, context });
  },
};

export default command;

const HELP = `
Compares every KPI of the tests below DIR with earlier tests that have the same labels, except those of comparison-keys in the workload.
Exit codes: 0 nothing got worse, 2 nothing could be compared or a KPI changed that has no direction (better: in the workload;
--allow-unknown passes), 3 a KPI is surely worse by more than --min-effect, 4 a test has no value or could not be read.
--compat: the original's rules (order of names as texts, one test of each version, method hunter) and its exit code, the number of failures.

Examples:
  nightmark matrix analyze results --history payloads -w tiny.workload.yml --html report.html
  nightmark matrix analyze results --history my-home -w tiny.workload.yml --method hunter --json

See docs/guide/matrix-analysis.md.`;

function failures({ made }: AnalyzedResults): string {
  return made.failed.map(({ location, reason }) => `${location}: ${reason}\n`).join('');
}

function exitCodeOf(
  { analysis, made }: AnalyzedResults,
  { options, context }: { readonly options: Options; readonly context: CliContext },
): number {
  const kpis = analysis.entries.flatMap((entry) => entry.kpis);
  if (analysis.isCompat) return summarizeAnalysis(analysis).failures;
  const isWorse = kpis.some(({ state, likely }) => {
    return state === 'regression' || (flag(options, 'orLikely') && likely === 'regression');
  });
  if (isWorse) return EXIT.regression;
  if (kpis.some(({ state }) => state === 'no-value') || made.failed.length + made.report.broken > 0)
    return EXIT.someFailed;
  if (kpis.every(({ state }) => state === 'no-history' || state === 'too-few')) return EXIT.nothingToCompare;
  const unknown = undirectedKpis(analysis);
  if (unknown.length === 0 || flag(options, 'allowUnknown')) return EXIT.fine;
  context.stderr.write(
    `The gate could not judge: ${unknown.join(', ')} changed and has no direction.\nAdd better: lower or higher to the KPI in the workload, or ignored-for-regression: true. Exit code 2; --allow-unknown passes all the same.\n`,
  );
  return EXIT.unknown;
}

async function writeReports(
  analysis: RegressionAnalysis,
  { dir, options }: { readonly dir: string; readonly options: Options },
  { cwd, disk, clock, version }: CliContext,
): Promise<void> {
  const [page, markdown, summary] = ['html', 'markdown', 'summary'].map((name) => textOption(options, name));
  const write = (file: string | undefined, text: () => string) =>
    file === undefined ? undefined : disk.writeText(resolvePath(cwd, file), text());
  const generatedAt = `${new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  await write(page, () => analysisHtml(analysis, { title: `Analysis of ${dir}`, generatedAt, version }));
  await write(markdown, () => analysisMarkdown(analysis));
  await write(summary, () => summaryYaml(analysis));
  const beside = page ?? summary;
  // The original tool writes it beside its report.
  if (analysis.isCompat && analysis.history.tests === 0 && beside !== undefined)
    await disk.writeText(joinPath(dirName(resolvePath(cwd, beside)), 'NO_HISTORICAL_RESULTS'), '');
}

const OWN_METHOD = 'nightmark';
const METHOD_NAMES = [OWN_METHOD, ...METHODS.map(({ name }) => name)];

/** The rules of the analysis, from the options. */
function analysisRules(options: Options): Omit<AnalysisRules, 'comparison'> {
  const isCompat = flag(options, 'compat');
  const method = methodOf(textOption(options, 'method') ?? (isCompat ? 'hunter' : OWN_METHOD), isCompat);
  const order = orderOf(textOption(options, 'order'));
  return {
    isCompat,
    minEffect: fractionOf(textOption(options, 'minEffect')),
    kpiFilter: textOption(options, 'kpi') ?? '',
    ...(method && { method }),
    ...(order && { order }),
  };
}

function methodOf(name: string, isCompat: boolean): RegressionMethod | undefined {
  const method = methodNamed(name, isCompat);
  if (method || name === OWN_METHOD) return method;
  throw new NightmarkError('CLI_INVALID_OPTION', `Unknown method: ${name}`, {
    hint: `Methods: ${METHOD_NAMES.join(', ')}.`,
  });
}

function orderOf(text: string | undefined): 'version' | 'time' | undefined {
  if (text === undefined || text === 'version' || text === 'time') return text;
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --order: ${text}`, {
    hint: 'Use version or time.',
  });
}

/** "2%" or 0.02. */
function fractionOf(text: string | undefined): number {
  if (text === undefined) return NEWEST_DEFAULTS.minEffect;
  const found = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text);
  const value = found ? Number(found[1]) / (found[2] === '%' ? 100 : 1) : Number.NaN;
  if (value >= 0 && value < 1) return value;
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --min-effect: ${text}`, {
    hint: 'Give a fraction below 1: 2% or 0.02.',
  });
}
