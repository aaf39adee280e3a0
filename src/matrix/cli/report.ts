import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { FigureFormat } from '../app/draw-plot.ts';
import { type DrawnGroup, drawReports, INDEX } from '../app/draw-reports.ts';
import { readMatrix } from '../app/parse/read-entries.ts';
import { readPlotsFile } from '../config/plots-file.ts';
import { groupOfQuery, groupsOfFile, type PlotGroup, parsePlotQuery } from '../core/plots/plot-query.ts';
import { type WorkloadPlots, workloadPlots } from '../core/plots/workload-plots.ts';
import { loadWorkload } from './load-workload.ts';
import {
  addParseOptions,
  describeParseProblems,
  matrixEffects,
  noResults,
  parseRequest,
} from './parse-options.ts';

const FORMATS: readonly FigureFormat[] = ['html', 'svg', 'png'];

const command: CommandModule = {
  configure(parser) {
    addParseOptions(parser)
      .option('--plots <file>', 'draw the plots of this file: plots.yaml with "visualize:"')
      .option('--generate <query>', 'draw the plots of this query: stats=NAME&key=value&cfg=key=value')
      .option('--list', 'list the available plots and reports')
      .option('-o, --output <folder>', 'output folder (default: reports)')
      .option('--format <formats>', 'files of each figure (default: html,svg,png)')
      .option('--json', 'print what was drawn as JSON')
      .option('--strict', 'a plot that could not be drawn is an error')
      .addHelpText('after', HELP);
  },

  async run([dir = ''], options, context) {
    const { cwd, stdout, stderr } = context;
    const workload = await loadWorkload(textOption(options, 'workload') ?? '', context);
    const plots = workloadPlots(workload);
    if (flag(options, 'list')) return listPlots(plots, options, context);
    const formats = formatsOf(textOption(options, 'format'));
    const groups = await groupsOf(plots, options, context);
    const { matrix, report } = await readMatrix(
      parseRequest(dir, options, { workload, cwd, env: context.env }),
      matrixEffects(context),
    );
    stderr.write(describeParseProblems(report));
    if (matrix.entries.length === 0) throw noResults(dir, 'entries', report);
    const folder = textOption(options, 'output') ?? 'reports';
    const drawn = await drawReports(
      {
        ...{ matrix, plots: plots.all, groups, formats, isCompat: flag(options, 'compat') },
        dir: resolvePath(cwd, folder),
        title: `Reports of ${workload.name}`,
      },
      { ...context, pictures: (await import('../../charts/adapters/resvg.ts')).resvg },
    );
    const failures = describeFailures(drawn, plots.problems);
    stderr.write(failures);
    stdout.write(flag(options, 'json') ? toJson(drawn, folder) : describeFiles(drawn, folder));
    return flag(options, 'strict') && failures !== '' ? EXIT.error : EXIT.fine;
  },
};

export default command;

const HELP = `
Reads the tests below DIR and draws reports and figures of them; ${INDEX} lists all. Without --plots and --generate: the plots
of the workload and the stock reports. A failed plot is reported, and the others are drawn. See docs/guide/matrix-reports.md.`;

async function groupsOf(
  plots: WorkloadPlots,
  options: Options,
  { cwd, disk }: CliContext,
): Promise<readonly PlotGroup[]> {
  const [file, query] = [textOption(options, 'plots'), textOption(options, 'generate')];
  if (file !== undefined && query !== undefined) {
    throw new NightmarkError('CLI_INVALID_OPTION', '--plots and --generate exclude each other.', {
      hint: 'Give one of them.',
    });
  }
  if (file !== undefined) return groupsOfFile(await readPlotsFile(resolvePath(cwd, file), { disk }));
  const wanted = parsePlotQuery(query ?? '');
  const stats = wanted.stats.length > 0 ? wanted.stats : plots.usual.map(({ name }) => name);
  return [groupOfQuery({ ...wanted, stats })];
}

function formatsOf(text: string | undefined): readonly FigureFormat[] {
  if (text === undefined) return FORMATS;
  const given = text.split(',').map((name) => name.trim());
  const unknown = given.find((name) => !FORMATS.some((format) => format === name));
  if (unknown === undefined) return FORMATS.filter((format) => given.includes(format));
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --format: ${unknown}`, {
    hint: `Use some of ${FORMATS.join(', ')}, with commas between them.`,
  });
}

function listPlots({ all }: WorkloadPlots, options: Options, { stdout }: CliContext): number {
  const rows = all.map(({ id, name, isReport }) => ({ id, name, isReport }));
  const width = Math.max(0, ...rows.map(({ id }) => id.length));
  const lines = rows.map(({ id, name }) => `${id.padEnd(width)}  ${name}\n`).join('');
  stdout.write(flag(options, 'json') ? `${JSON.stringify(rows, null, 2)}\n` : lines);
  return EXIT.fine;
}

function toJson(groups: readonly DrawnGroup[], folder: string): string {
  const index = joinPath(folder, INDEX);
  return `${JSON.stringify({ output: folder, index, groups }, null, 2)}\n`;
}

/** A line for each drawn plot, and the path of the index. */
function describeFiles(groups: readonly DrawnGroup[], folder: string): string {
  const lines = groups.flatMap(({ folder: inside, drawn }) =>
    drawn.flatMap(({ files: [first] }) =>
      first === undefined ? [] : [`${visible(joinPath(folder, inside, first))}\n`],
    ),
  );
  return `${lines.join('')}${counted(lines.length, 'plot')} drawn: ${joinPath(folder, INDEX)}\n`;
}

/** An ERROR line for each problem of a plot; empty when there is none. */
function describeFailures(groups: readonly DrawnGroup[], others: readonly string[]): string {
  const failed = groups.flatMap(({ folder, drawn }) =>
    drawn.flatMap(({ plot, problems }) =>
      problems.map((problem) => `${plot}${folder === '' ? '' : ` (${folder})`}: ${problem}`),
    ),
  );
  return [...others, ...failed].map((line) => `ERROR | ${visible(line)}\n`).join('');
}
