import type { Format } from '../../formats/core/format.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { requireHome } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/home-index.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { judgeHome } from '../../judge/app/changes/judge-home.ts';
import { rulesOf } from '../../judge/cli/changes/open-home.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type ProcessReport, processResults } from '../app/process-results.ts';
import { collectSamples } from '../app/store-iterations.ts';
import { readDuetFile } from '../config/read-duet-file.ts';
import {
  csvSyntax,
  jsonSyntax,
  type TableFile,
  type TableForm,
  type TableSyntax,
} from '../core/table/iteration-table.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<dir...>', 'folders of results')
      .option(
        '-o, --output <file>',
        'table to write; "-" is the standard output (default: the name of the folder)',
      )
      .option('--csv', 'write CSV (the default)')
      .option('--json', 'write JSON, and print the summary as JSON')
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
is counted and listed. For the verdict: nightmark duet analyze TABLE`;

function syntaxOf(options: Options): TableSyntax {
  if (flag(options, 'csv') && flag(options, 'json')) {
    throw new NightmarkError('CLI_INVALID_OPTION', '--csv and --json exclude each other.', {
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

const MAX_LINES = 100;

/** A line for each thing that went wrong. */
function describeProblems({ problems }: ProcessReport): string {
  const lines = problems
    .slice(0, MAX_LINES)
    .map(({ file, reason }) => `${visible(file)}: ${visible(reason)}\n`);
  const more = problems.length - MAX_LINES;
  return `${lines.join('')}${more > 0 ? `and ${more} or more: --json names them\n` : ''}`;
}

interface Summary extends ProcessReport {
  readonly file: string;
  readonly stored?: string;
}

function describeReport({ file, rows, files, failedFiles, failedRows, strays, stored }: Summary): string {
  const read = `${counted(rows, 'iteration')} of ${counted(files, 'file')}`;
  const left = [
    failedFiles > 0 && `${counted(failedFiles, 'file')} could not be read`,
    failedRows > 0 && `${counted(failedRows, 'iteration')} could not be read`,
    strays > 0 && `${counted(strays, 'other entry', 'other entries')} left out`,
  ].filter((part) => part !== false);
  const place = file === '-' ? '' : `${file}: `;
  const saved = stored === undefined ? '' : `Saved as run ${stored}.\n`;
  return plainly(`${place}${read}${left.map((part) => `; ${part}`).join('')}.\n${saved}`);
}

/** A table that is written as it is made: to a file that appears when it is whole, or to the standard output. */
interface TableOutput {
  begin(form: TableForm): void;
  add(file: TableFile): void;
  finish(): void;
  /** Leaves no half of a table; does nothing after `finish`. */
  discard(): void;
}

/** Characters that are written at once. */
const BLOCK = 1 << 20;

async function openTable(
  path: string | undefined,
  syntax: TableSyntax,
  { disk, stdout }: CliContext,
): Promise<TableOutput> {
  const file = path === undefined ? undefined : await disk.openWriter(path);
  let form: TableForm | undefined;
  let waiting: string[] = [];
  let length = 0;
  let isFirst = true;
  const write = () => {
    const text = waiting.join('');
    if (file) file.write(text);
    else stdout.write(text);
    waiting = [];
    length = 0;
  };
  return {
    begin(it) {
      form = it;
      waiting.push(syntax.begin(it.columns));
    },
    add(it) {
      if (form === undefined || it.reading.numbers.length === 0) return;
      const text = syntax.rows(form, it, isFirst);
      isFirst = false;
      waiting.push(text);
      length += text.length;
      if (length > BLOCK) write();
    },
    finish() {
      waiting.push(syntax.end);
      write();
      file?.finish();
    },
    discard: () => file?.discard(),
  };
}

/** The times of a table on their way into the store of a home. */
interface Storing {
  add(file: TableFile): void;
  /** The id of the run that they became. */
  finish(): Promise<string>;
}

/** Refuses a folder that is not a home before anything is read. */
async function beginStoring(given: string, context: CliContext): Promise<Storing> {
  const home = await requireHome(resolvePath(context.cwd, given), context.disk);
  const collected = collectSamples();
  return {
    add: collected.add,
    async finish() {
      await ensureIndex(home, context);
      const { disk, clock, randomSeed, signal } = context;
      await disk.makeDir(homeLayout(home).own);
      const store = await openSqliteStore(homeLayout(home).index);
      try {
        const { id, tasks } = await collected.save(home, { disk, clock, store, randomSeed });
        const request = { home, rules: await rulesOf(home, context), scope: { experiments: tasks } };
        await judgeHome(request, { disk, clock, store, signal });
        return id;
      } finally {
        store.close();
      }
    },
  };
}
