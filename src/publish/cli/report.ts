import { relative } from 'node:path';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { Store } from '../../home/core/store.ts';
import { commitLog, judgeUnjudged, rulesOf, withHomeStore } from '../../judge/cli/changes/open-home.ts';
import { splitPair } from '../../judge/core/compare/side-selection.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { dirName, joinPath, resolvePath } from '../../platform/core/path.ts';
import { type MadeReport, makeReport } from '../app/report/make-report.ts';
import { noResults, type ReportSources, type ReportSubject } from '../app/report/report-request.ts';
import { printPdf } from './print-pdf.ts';

const HELP = `
Examples:
  nightmark report -o night.html                        the newest night, one file without scripts
  nightmark report ~/bench --run latest~1 -o night.pdf
  nightmark report --compare latest~7..latest -o week.md --assets week-charts
  nightmark report --changes -o open.html               everything that is open
  nightmark report --change k3f9x2a -o regression.pdf
  nightmark report --compare a1b2c3d..e4f5a6b | less    Markdown on stdout
See docs/guide/reports.md.`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home; the current folder if left out')
      .option('--run <run>', 'a night or an import: latest, latest~1, its id or label (default: latest)')
      .option('--compare <sides>', 'BASE..HEAD, as nightmark compare takes them')
      .option('--changes', 'all open changes')
      .option('--change <id>', 'one change with its history, its explanation and its commits')
      .option('-o, --output <file>', 'FILE.html, FILE.md or FILE.pdf; - is stdout', '-')
      .option(
        '--format <format>',
        'html, markdown or pdf (needs Chromium); default: what the name of the file ends in',
      )
      .option('--assets <folder>', 'also write the charts there, as SVG and PNG; Markdown shows them')
      .option('--json', 'print what was written as JSON')
      .addHelpText('after', HELP);
  },

  async run([given], options, context) {
    const subject = subjectOf(options);
    const named = textOption(options, 'output') ?? '-';
    const format = formatOf(options, named);
    const output = named === '-' ? '-' : resolvePath(context.cwd, named);
    const home = await homeArgument(given, context);
    const assets = textOption(options, 'assets');
    const folder = assets === undefined ? undefined : resolvePath(context.cwd, assets);
    const from = output === '-' ? context.cwd : dirName(output);
    return withHomeStore(home, context, async (store) => {
      if (!store) throw noResults(home);
      await judgeUnjudged(home, context);
      const request = {
        ...{ home, subject, format: format === 'markdown' ? format : ('html' as const) },
        ...(folder !== undefined && { figures: { folder: relative(from, folder) } }),
      };
      const report = await makeReport(request, await sourcesOf(home, store, context));
      const content = await contentOf(report.text, { format, output }, context);
      const figures = folder === undefined ? [] : await writeFigures(report, folder, context);
      await writeContent(content, output, context);
      for (const failure of report.failures) context.stderr.write(`${failure}\n`);
      const outcome = { title: report.title, format, output, figures };
      if (output !== '-')
        context.stdout.write(flag(options, 'json') ? `${JSON.stringify(outcome)}\n` : `Wrote ${output}\n`);
      return EXIT.fine;
    });
  },
};

export default command;

async function sourcesOf(home: string, store: Store, context: CliContext): Promise<ReportSources> {
  const { disk, clock, signal } = context;
  const page = await pageOf(home, context);
  return {
    ...{ store, disk, clock, signal },
    ...(page !== undefined && { page }),
    rules: () => rulesOf(home, context),
    commits: await commitLog(),
  };
}

/** Where others see the page; a definition that cannot be read costs links, not the report. */
async function pageOf(home: string, { disk, userHome, env }: CliContext): Promise<string | undefined> {
  try {
    return (await readHome(home, {}, { disk, userHome, env })).home.page;
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}

const FORMATS = ['html', 'markdown', 'pdf'] as const;
export type ReportFormat = (typeof FORMATS)[number];

/** The subject of the report: one thing, by default the newest night. */
export function subjectOf(options: Options): ReportSubject {
  const [run, pair, id] = ['run', 'compare', 'change'].map((name) => textOption(options, name));
  const subjects: ReportSubject[] = [
    ...(run === undefined ? [] : [{ kind: 'run', run } as const]),
    ...(pair === undefined ? [] : [{ kind: 'compare', ...sidesOf(pair) } as const]),
    ...(flag(options, 'changes') ? [{ kind: 'changes' } as const] : []),
    ...(id === undefined ? [] : [{ kind: 'change', id } as const]),
  ];
  const [first = { kind: 'run', run: 'latest' }, second] = subjects;
  if (second === undefined) return first;
  throw new NightmarkError('CLI_INVALID_OPTION', 'A report is about one thing.', {
    hint: 'Use one of --run, --compare, --changes and --change; write further reports with further commands.',
  });
}

function sidesOf(pair: string): { readonly base?: string; readonly head?: string } {
  const sides = splitPair(pair);
  if (sides) return sides;
  throw new NightmarkError('CLI_INVALID_OPTION', `--compare "${pair.slice(0, 200)}" names one side only.`, {
    hint: 'Two dots stand between both: --compare latest~7..latest',
  });
}

const ENDINGS: Readonly<Record<string, ReportFormat>> = {
  html: 'html',
  htm: 'html',
  md: 'markdown',
  markdown: 'markdown',
  pdf: 'pdf',
};

/** The ending of the file decides unless --format does; stdout gets Markdown by default. */
export function formatOf(options: Options, output: string): ReportFormat {
  const given = textOption(options, 'format');
  if (given !== undefined) {
    const found = FORMATS.find((format) => format === given) ?? ENDINGS[given.toLowerCase()];
    if (found) return found;
    throw new NightmarkError('CLI_INVALID_OPTION', `Unknown --format "${given.slice(0, 200)}".`, {
      hint: `Use one of ${FORMATS.join(', ')}.`,
    });
  }
  if (output === '-') return 'markdown';
  const [, ending = ''] = /\.(\w+)$/.exec(output) ?? [];
  const found = Object.hasOwn(ENDINGS, ending.toLowerCase()) ? ENDINGS[ending.toLowerCase()] : undefined;
  if (found) return found;
  throw new NightmarkError('REPORT_OUTPUT', `${output} ends neither in .html nor in .md nor in .pdf.`, {
    hint: 'Use one of these endings, or --format html.',
  });
}

/** Writes the charts of a report as SVG and PNG; the files that it wrote. */
export async function writeFigures(
  { figures }: Pick<MadeReport, 'figures'>,
  folder: string,
  { disk }: CliContext,
): Promise<readonly string[]> {
  if (figures.length === 0) return [];
  const { resvg } = await import('../../charts/adapters/resvg.ts');
  await disk.makeDir(folder);
  const written: string[] = [];
  for (const { name, svg } of figures) {
    const file = joinPath(folder, name);
    await disk.writeText(`${file}.svg`, `${svg}\n`);
    await disk.writeBytes(`${file}.png`, await resvg.png(svg, { scale: 2 }));
    written.push(`${file}.svg`, `${file}.png`);
  }
  return written;
}

/** What goes into the file: the text of the report, or the page as it is printed. `output`: a path, or "-" for stdout. */
export async function contentOf(
  text: string,
  { format, output }: { readonly format: ReportFormat; readonly output: string },
  context: CliContext,
): Promise<string | Uint8Array> {
  if (format !== 'pdf') return text;
  if (output === '-' && context.stdout.isTerminal) {
    throw new NightmarkError('REPORT_OUTPUT', 'A PDF would not be readable on a terminal.', {
      hint: 'Name a file: -o report.pdf',
    });
  }
  return printPdf(text, context);
}

export async function writeContent(
  content: string | Uint8Array,
  output: string,
  { disk, stdout }: CliContext,
): Promise<void> {
  if (output === '-')
    return typeof content === 'string' ? stdout.write(content) : stdout.writeBytes?.(content);
  await disk.makeDir(dirName(output));
  return typeof content === 'string' ? disk.writeText(output, content) : disk.writeBytes(output, content);
}
