import {
  gatheredCsv,
  gatheredJson,
  gatheredLines,
  gatherKpis,
} from '../../formats/core/kpi/gathered-kpis.ts';
import { compatText, kpiCsv, kpiJson, kpiPoint, kpiTable } from '../../formats/core/kpi/kpi-text.ts';
import { openMetricsText } from '../../formats/core/kpi/openmetrics.ts';
import { openSearchMapping, payloadSchema } from '../../formats/core/kpi/payload-shape.ts';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  type Output,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { dirName, joinPath, resolvePath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { makePayloads, payloadRulesOf, type TestPayload } from '../app/make-payloads.ts';
import { describePayloadProblems, splitPayloads } from './describe-payloads.ts';
import { loadWorkload } from './load-workload.ts';
import {
  addParseOptions,
  describeParseProblems,
  matrixEffects,
  noResults,
  parseRequest,
} from './parse-options.ts';
import { requireStoreHome, savePayloads } from './save-payloads.ts';

const command: CommandModule = {
  configure(parser) {
    addParseOptions(parser)
      .option('-f, --format <format>', 'table, json, csv or openmetrics (default: table)')
      .option('--json', 'the same as --format json')
      .option('--gather', 'show repetitions (@seed) as one: interquartile mean and its 95 % interval')
      .option('--timestamps', 'openmetrics: every value with its time, for backfilling, not for scraping')
      .option('-o, --output <file>', 'write the KPIs to a file; "-" is the standard output (default)')
      .option('--payloads <folder>', 'also write the payload of each test, as a file of its own')
      .option(
        '--store <home>',
        'also store the payloads in this home: its server shows the newest at /metrics',
      )
      .option(
        '--schema <file>',
        'also write the JSON Schema of the payloads, and opensearch_mapping.json beside it',
      )
      .option('--strict', 'an invalid payload or an incomplete test is an error')
      .option('--strict-numbers', 'refuse "4" and true where a number, and 4 where a text is expected')
      .addHelpText('after', HELP);
  },

  async run([dir = ''], options, context) {
    const { cwd, stderr } = context;
    const format = kpiFormatOf(options);
    const workload = await loadWorkload(textOption(options, 'workload') ?? '', context);
    payloadRulesOf(workload);
    const home = await requireStoreHome(textOption(options, 'store'), context);
    const request = parseRequest(dir, options, { workload, cwd, env: context.env });
    const numbers = flag(options, 'strictNumbers') ? 'strict' : 'lenient';
    const tests: TestPayload[] = [];
    const made = await makePayloads(
      { request, numbers },
      (it) => void tests.push(it),
      matrixEffects(context),
    );
    stderr.write(describeParseProblems(made.report) + describePayloadProblems(tests, made.failed));
    if (tests.length === 0) throw noResults(dir, 'KPIs', made.report);
    await writeSchema(textOption(options, 'schema'), workload, context);
    const { stored, refused } = splitPayloads(tests);
    const keeping = { workload: workload.name, home, options, dir, tests };
    const isStoring = await savePayloads(stored, keeping, context);
    await writeOut(formatKpis(tests, { format, options }, stderr), textOption(options, 'output'), context);
    const { partial, broken } = made.report;
    const isIncomplete = refused + made.failed.length > 0;
    if (isStoring && isIncomplete) return EXIT.error;
    return flag(options, 'strict') && (isIncomplete || partial + broken > 0) ? EXIT.error : EXIT.fine;
  },
};

export default command;

const HELP = `
Computes the KPIs of every test below DIR. What --payloads or --store writes is checked strictly: an invalid payload is reported and
left out, and the exit code is 1. See docs/reference/kpis.md and docs/reference/payload.md.`;

async function writeSchema(
  name: string | undefined,
  workload: Workload,
  { cwd, disk }: CliContext,
): Promise<void> {
  if (name === undefined) return;
  const file = resolvePath(cwd, name);
  const write = (path: string, value: object) => disk.writeText(path, `${JSON.stringify(value, null, 4)}\n`);
  await write(file, payloadSchema(workload));
  await write(joinPath(dirName(file), 'opensearch_mapping.json'), openSearchMapping(workload));
}

async function writeOut(
  text: string,
  file: string | undefined,
  { cwd, disk, stdout }: CliContext,
): Promise<void> {
  if (file === undefined || file === '-') stdout.write(text);
  else await disk.writeText(resolvePath(cwd, file), text);
}

const FORMATS = ['table', 'json', 'csv', 'openmetrics'] as const;
type KpiFormat = (typeof FORMATS)[number];

function kpiFormatOf(options: Options): KpiFormat {
  const given = textOption(options, 'format') ?? (flag(options, 'json') ? 'json' : 'table');
  const format = FORMATS.find((known) => known === given);
  if (format === 'openmetrics' && flag(options, 'gather')) {
    throw new NightmarkError(
      'CLI_INVALID_OPTION',
      '--gather has intervals, which OpenMetrics cannot express.',
      {
        hint: 'Use --format json or csv with it.',
      },
    );
  }
  if (format) return format;
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --format: ${given}`, {
    hint: `Use one of ${FORMATS.join(', ')}.`,
  });
}

interface KpiFormatRequest {
  readonly format: KpiFormat;
  readonly options: Options;
}

/** The KPIs of all tests as text; what the format cannot express is reported on standard error. */
function formatKpis(
  tests: readonly TestPayload[],
  { format, options }: KpiFormatRequest,
  stderr: Output,
): string {
  if (flag(options, 'gather')) return formatGathered(tests, format);
  const rows = tests.flatMap(({ location, values }) => values.map((value) => ({ ...value, location })));
  switch (format) {
    case 'json':
      return `${JSON.stringify(rows.map(kpiJson), null, 2)}\n`;
    case 'csv':
      return kpiCsv(rows);
    case 'table':
      return kpiTable(rows);
    case 'openmetrics': {
      if (flag(options, 'compat')) return tests.map(({ payload }) => compatText(payload)).join('');
      const { text, leftOut } = openMetricsText(rows.map(kpiPoint), {
        hasTimes: flag(options, 'timestamps'),
      });
      for (const reason of leftOut) stderr.write(`not in the metrics: ${visible(reason)}\n`);
      return text;
    }
  }
}

/** One line for all repetitions of a test. */
function formatGathered(tests: readonly TestPayload[], format: KpiFormat): string {
  const kpis = gatherKpis(tests);
  if (format === 'json') return `${JSON.stringify(kpis.map(gatheredJson), null, 2)}\n`;
  return format === 'csv' ? gatheredCsv(kpis) : gatheredLines(kpis);
}
