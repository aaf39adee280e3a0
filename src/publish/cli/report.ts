import { relative } from 'node:path';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { Store } from '../../home/core/store.ts';
import { commitLog, rulesOf, withHomeStore } from '../../judge/cli/changes/open-home.ts';
import { type CliContext, type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { dirName, resolvePath } from '../../platform/core/path.ts';
import { makeReport } from '../app/report/make-report.ts';
import { nothingYet } from '../app/report/nothing-yet.ts';
import type { ReportSources } from '../app/report/report-request.ts';
import { formatOf, subjectOf } from './report/report-options.ts';
import { contentOf, writeContent, writeFigures } from './report/write-report.ts';

const HELP = `
Examples:
  nightmark report -o night.html                        the newest night, one file without scripts
  nightmark report ~/bench --run latest~1 -o night.pdf
  nightmark report --compare latest~7..latest -o week.md --assets week-charts
  nightmark report --changes -o open.html               everything that waits for somebody
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
      if (!store) throw nothingYet(home);
      const request = {
        ...{ home, subject, format: format === 'markdown' ? format : ('html' as const) },
        ...(folder !== undefined && { figures: { folder: relative(from, folder) } }),
      };
      const report = await makeReport(request, await sourcesOf(home, store, context));
      const content = await contentOf(report.text, { format, output }, context);
      const figures = folder === undefined ? [] : await writeFigures(report, folder, context);
      await writeContent(content, output, context);
      for (const failure of report.failures) context.stderr.write(`${failure}\n`);
      const said = { title: report.title, format, output, figures };
      if (output !== '-')
        context.stdout.write(flag(options, 'json') ? `${JSON.stringify(said)}\n` : `Wrote ${output}\n`);
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
