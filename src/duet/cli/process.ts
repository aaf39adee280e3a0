import type { Format } from '../../formats/core/format.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import { type CommandModule, EXIT, flag, type Options, textOption } from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import { processResults } from '../app/process-results.ts';
import { readDuetFile } from '../config/read-duet-file.ts';
import { csvSyntax, jsonSyntax, type TableFile, type TableSyntax } from '../core/table/iteration-table.ts';
import { describeProblems, describeReport } from './describe-processing.ts';
import { beginStoring } from './store-duets.ts';
import { openTable } from './table-output.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<dir...>', 'folders of results')
      .option(
        '-o, --output <file>',
        'table to write; "-" is the standard output (default: the name of the folder)',
      )
      .option('--csv', 'write CSV (the default)')
      .option('--json', 'write JSON, and say what was done in JSON')
      .option('--compat', "the original's columns and values")
      .option('-c, --config <file>', 'duet.yml that names the suites, for old results whose names do not')
      .option('--store <home>', 'also save the times as a run of this home')
      .addHelpText('after', HELP);
  },

  async run(args, options, context) {
    const { cwd, disk, clock, signal, stdout, stderr } = context;
    const dirs = args.map((dir) => resolvePath(cwd, dir));
    const syntax = syntaxOf(options);
    const file = outputFile(dirs, syntax, options);
    const config = textOption(options, 'config');
    const suiteOf =
      config === undefined ? {} : { suiteOf: await suitesOf(resolvePath(cwd, config), context) };
    const home = textOption(options, 'store');
    const storing = home === undefined ? undefined : await beginStoring(home, context);
    const formats = await loadAll<Format>('formats');
    const table = await openTable(file === '-' ? undefined : resolvePath(cwd, file), syntax, context);
    try {
      const add = (it: TableFile) => {
        table.add(it);
        storing?.add(it);
      };
      const request = { dirs, isCompat: flag(options, 'compat'), ...suiteOf };
      const report = await processResults(
        request,
        { begin: table.begin, add },
        { disk, clock, formats, signal },
      );
      stderr.write(describeProblems(report));
      if (report.rows === 0) throw nothingRead(dirs);
      table.finish();
      const stored = await storing?.finish();
      const summary = { file, ...report, ...(stored === undefined ? {} : { stored }) };
      const talk = file === '-' ? stderr : stdout;
      talk.write(
        flag(options, 'json') && file !== '-' ? `${JSON.stringify(summary)}\n` : describeReport(summary),
      );
      return EXIT.fine;
    } finally {
      table.discard();
    }
  },
};

export default command;

const HELP = `
Every result file becomes rows, one for each iteration: see docs/reference/duet-results.md for the columns. What cannot be read
is counted and named. For the verdict: nightmark duet analyze TABLE`;

function syntaxOf(options: Options): TableSyntax {
  if (flag(options, 'csv') && flag(options, 'json')) {
    throw new NightmarkError('CLI_INVALID_OPTION', '--csv and --json cannot both be meant.', {
      hint: 'Give one of them.',
    });
  }
  if (flag(options, 'csv')) return csvSyntax;
  const isJson = flag(options, 'json') || textOption(options, 'output')?.endsWith('.json') === true;
  return isJson ? jsonSyntax : csvSyntax;
}

/** Of several folders it is results.csv; an older form, with -c, takes the name without its ending. */
function outputFile(dirs: readonly string[], { extension }: TableSyntax, options: Options): string {
  const given = textOption(options, 'output');
  if (given === undefined)
    return `${dirs.length === 1 ? baseName(dirs[0] ?? '') || 'results' : 'results'}.${extension}`;
  const isOldForm = textOption(options, 'config') !== undefined && given !== '-';
  return isOldForm && !given.endsWith(`.${extension}`) ? `${given}.${extension}` : given;
}

async function suitesOf(
  file: string,
  context: CliContext,
): Promise<(benchmark: string) => string | undefined> {
  const reading = await readDuetFile(file, context);
  if (reading.state === 'unusable') throw reading.error;
  const { benchmarks } = reading.suite;
  return (name) => (benchmarks.find((benchmark) => benchmark.name === name) ?? benchmarks[0])?.suite;
}

function nothingRead(dirs: readonly string[]): NightmarkError {
  return new NightmarkError('DUET_NO_RESULTS', `There is no iteration in ${dirs.join(', ')}.`, {
    hint: 'Result files are called <suite>.<benchmark>.<runid>.<type>.<order>.<pair>.<file>, as "nightmark duet run" names them.',
  });
}
