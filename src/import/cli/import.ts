import type { Format } from '../../formats/core/format.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { requireHome } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/home-index.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { FollowedChange } from '../../home/core/changes/change-ledger.ts';
import type { Home } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import { DEFAULT_RULES, judgingRules } from '../../judge/app/series/judging-rules.ts';
import { ALLOW_UNKNOWN, gateExit } from '../../judge/cli/changes/gate-exit.ts';
import { commitLog } from '../../judge/cli/changes/open-home.ts';
import { gateOf } from '../../judge/core/changes/gate.ts';
import { fileLocks } from '../../platform/adapters/file-locks.ts';
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
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import type { FileReading, ImportOptions } from '../app/import-request.ts';
import { judgeImport } from '../app/judge-import.ts';
import { readImport, requireRuns } from '../app/read-import.ts';
import { findKnown, type StoredRun, storeImport } from '../app/store-import.ts';
import { describeFailures, describeImport, type ImportOutcome, importJson } from './describe-import.ts';
import { readFiles, sourceNames } from './import-files.ts';
import { importOptions } from './import-options.ts';

const collect = (value: string, values: readonly string[] = []) => [...values, value];

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<files...>', 'result files, "-" for standard input, or a results folder of asv or criterion')
      .option('--home <home>', 'the home that keeps them', '.')
      .option(
        '--experiment <name>',
        'the experiment they are of (default: the suite, the tool, or the name of the file)',
      )
      .option('--format <id>', 'how to read them (default: detected from their content)')
      .option(
        '--at <time>',
        'when they were measured (default: the time in the file, or when it was written)',
      )
      .option('--commit <hash>', 'the commit that was measured')
      .option('--branch <name>', 'its branch; runs of another branch are left out')
      .option('--source <name>', 'the source that the commit is of (default: the one of the home)')
      .option('--machine <name>', 'where they were measured')
      .option('--setting <key=value>', 'a setting of all of them; may be repeated', collect)
      .option('--value <columns>', 'csv, json, ndjson: columns or keys of the values')
      .option('--name <columns>', 'csv, json, ndjson: columns or keys that name the benchmark')
      .option('--unit <unit>', 'csv, json, ndjson: unit of the values')
      .option('--better <which>', 'csv, json, ndjson: lower or higher')
      .option(
        '--fail-on-regression',
        'exit code 3 when a regression was found or confirmed, 2 when that could not be judged',
      )
      .option(...ALLOW_UNKNOWN)
      .option('--dry-run', 'show what would be stored, and store nothing')
      .option('--json', 'print what was done as JSON')
      .addHelpText('after', HELP);
  },

  async run(given, options, context) {
    const home = await requireHome(
      resolvePath(context.cwd, textOption(options, 'home') ?? '.'),
      context.disk,
    );
    const definition = await definitionOf(home, context);
    const sourceName = sourceNames(definition, textOption(options, 'source'));
    const files = await readAll(given, { ...importOptions(options), sourceName }, context);
    const isDryRun = flag(options, 'dryRun');
    await noteFormerName(files, home, context);
    const outcome: ImportOutcome = isDryRun
      ? { home, isDryRun, files, stored: await findKnown(runsOf(files), home, context.disk) }
      : { home, isDryRun, files, ...(await storeAndJudge(files, { home, definition }, context)) };
    return report(outcome, options, context);
  },
};

export default command;

const HELP = `
Examples:
  hyperfine --export-json sort.json "sort big.txt" && nightmark import sort.json --commit $(git rev-parse HEAD)
  nightmark import data.js --home ~/bench                 the whole history of github-action-benchmark
  nightmark import .benchmarks/*/*.json --branch main     what pytest-benchmark saved
  nightmark import asv/results                            all machines and commits of asv
  nightmark import target/criterion                       all benchmarks of criterion.rs
  nightmark import k6/*.json --fail-on-regression         any JSON: the experiment is named after the file, or its folder
  go test -bench . | my-tool | nightmark import - --format csv --experiment parser

Each run keeps its own time and commit; a run with the same results, time and commit is not stored again. Nothing is stored when one of the files
cannot be read. Exit codes: 0 stored, 1 error; with --fail-on-regression also 3 a regression, and 2 when a changed series has
no known direction (nightmark directions) or there is no history yet. See docs/guide/import.md.`;

/** All files, before anything is stored: one that cannot be read stops the whole import. */
async function readAll(
  given: readonly string[],
  options: ImportOptions,
  context: CliContext,
): Promise<readonly FileReading[]> {
  const formats = await loadAll<Format>('formats');
  const files: FileReading[] = [];
  for await (const file of readFiles(given, { rule: options.rule, formats }, context)) {
    if (context.signal.aborted)
      throw new NightmarkError('IMPORT_INTERRUPTED', 'The import was interrupted; nothing was stored.');
    files.push(readImport(file, options, formats));
  }
  requireRuns(files);
  return files;
}

/** Results of no named tool were once stored as "json" or "csv": who has such a history may want to continue it. */
async function noteFormerName(
  files: readonly FileReading[],
  home: string,
  { disk, stderr }: CliContext,
): Promise<void> {
  for (const format of ['json', 'csv', 'ndjson']) {
    const run = files.flatMap(({ runs }) => runs).find((one) => one.format === format);
    if (!run || run.experiment === format) continue;
    if ((await disk.list(homeLayout(home).data(format))).length === 0) continue;
    stderr.write(
      `Results without a name are stored under the name of their file: ${run.experiment}. To continue the experiment "${format}" of earlier imports: --experiment ${format}\n`,
    );
  }
}

const runsOf = (files: readonly FileReading[]) => files.flatMap(({ runs }) => runs);

interface Place {
  readonly home: string;
  readonly definition: Home | undefined;
}

async function storeAndJudge(
  files: readonly FileReading[],
  { home, definition }: Place,
  context: CliContext,
): Promise<Pick<ImportOutcome, 'stored' | 'judged' | 'begun'>> {
  const { disk, clock, signal } = context;
  await ensureIndex(home, context);
  await disk.makeDir(homeLayout(home).own);
  const release = await lockHome(home, context);
  try {
    const store = await openSqliteStore(homeLayout(home).index);
    try {
      const place = { home, project: definition?.project ?? baseName(home) };
      const rules = definition ? judgingRules(definition) : DEFAULT_RULES;
      const stored = await storeImport(runsOf(files), place, { disk, store, clock });
      const effects = { disk, store, clock, signal, commits: await commitLog() };
      const judged = await judgeImport({ home, rules, stored }, effects);
      return judged === undefined ? { stored, begun: await changesAt(stored, store) } : { stored, judged };
    } finally {
      store.close();
    }
  } finally {
    release();
  }
}

/** Open changes that begin with runs that were there already: a gate that is asked again gives the same answer. */
async function changesAt(stored: readonly StoredRun[], store: Store): Promise<readonly FollowedChange[]> {
  const ids = new Set(stored.map(({ id }) => id));
  const open = await store.changes({ isOpen: true, limit: MANY });
  return open.filter(({ runId }) => ids.has(runId));
}

const MANY = 1_000_000;

/** A night that runs writes the same files: one of the two waits. */
async function lockHome(home: string, { processId, hostName, clock }: CliContext): Promise<() => void> {
  const outcome = await fileLocks.acquire(homeLayout(home).lock, {
    run: 'import',
    pid: processId,
    host: hostName,
    since: new Date(clock.now()).toISOString(),
  });
  if (outcome.state === 'acquired') return () => outcome.release();
  throw new NightmarkError('IMPORT_HOME_BUSY', `${home} is in use: ${JSON.stringify(outcome.holder)}.`, {
    hint: 'Nothing was stored. Try again when it is done.',
  });
}

/** Undefined where the definition is broken: results are stored all the same. */
async function definitionOf(
  home: string,
  { disk, userHome, env, stderr }: CliContext,
): Promise<Home | undefined> {
  try {
    return (await readHome(home, {}, { disk, userHome, env })).home;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    stderr.write(
      `The definition of ${home} could not be read (${error.message}): the usual rules are used.\n`,
    );
    return undefined;
  }
}

function report(outcome: ImportOutcome, options: Options, context: CliContext): ExitCode {
  const { files, judged, home, begun = [] } = outcome;
  const { stdout, stderr } = context;
  const again = { news: begun, judged: begun.length, ignored: 1, compared: 1 };
  const gate = flag(options, 'failOnRegression') ? gateOf(judged ?? again) : undefined;
  stderr.write(describeFailures(files));
  stdout.write(flag(options, 'json') ? importJson(outcome, gate) : describeImport(outcome));
  if (typeof judged === 'string') stderr.write(`warning: ${judged}\n`);
  if (typeof judged === 'object') for (const note of judged.notes) stderr.write(`${note}\n`);
  return gate ? gateExit(gate, home, { options, context }) : EXIT.fine;
}
