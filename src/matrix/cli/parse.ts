import { gatherEntries, gatheredSettings, type MatrixEntry } from '../../formats/core/kpi/matrix-entry.ts';
import { type CliContext, type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { settingText } from '../../platform/core/text/text-order.ts';
import type { MatrixEffects, ParseReport, ParseRequest } from '../app/parse/parse-request.ts';
import { readEntries } from '../app/parse/read-entries.ts';
import { countSettings, type SettingValues, withEveryKey } from '../core/matrix.ts';
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
      .option('-o, --output <file>', 'write the entries as JSON; "-" is the standard output')
      .option('--json', 'write the entries as JSON to the standard output')
      .option('--pretty', 'indent the JSON')
      .option('--strict', 'an incomplete test is an error')
      .addHelpText('after', HELP);
  },

  async run([dir = ''], options, context) {
    const { cwd, stdout, stderr } = context;
    const workload = await loadWorkload(textOption(options, 'workload') ?? '', context);
    const request = parseRequest(dir, options, { workload, cwd, env: context.env });
    const effects = matrixEffects(context);
    const overview = await readOverview(request, effects);
    const { report } = overview;
    stderr.write(describeParseProblems(report));
    if (report.entries === 0) throw noResults(dir, 'entries', report);
    const file = textOption(options, 'output') ?? (flag(options, 'json') ? '-' : undefined);
    if (file !== undefined) {
      const path = file === '-' ? undefined : resolvePath(cwd, file);
      const indent = flag(options, 'pretty') ? 4 : 0;
      await writeEntries({ request, overview, path, indent }, effects, context);
    }
    (file === '-' ? stderr : stdout).write(describeMatrix(overview));
    const isIncomplete = report.partial + report.broken > 0;
    return flag(options, 'strict') && isIncomplete ? EXIT.error : EXIT.fine;
  },
};

export default command;

const HELP = `
Finds the test directories below DIR, reads them as the workload defines, and shows their settings. What could not be read is counted
and listed. Tests are cached in DIR/.nightmark/cache until one of their files changes.`;

/** Counts and settings of a tree, without its results: memory hardly grows with the tree. */
export interface Overview {
  readonly report: ParseReport;
  readonly settings: SettingValues;
  /** The entries, where there is no cache for a second reading. */
  readonly entries?: readonly MatrixEntry[];
}

async function readOverview(request: ParseRequest, effects: MatrixEffects): Promise<Overview> {
  const counter = countSettings();
  const entries: MatrixEntry[] = [];
  const report = await readEntries(
    request,
    (entry) => {
      counter.add(entry.settings);
      const gathered = gatheredSettings(entry.settings);
      if (gathered) counter.add(gathered);
      if (!request.usesCache) entries.push(entry);
    },
    effects,
  );
  return { report, settings: counter.finish(), ...(request.usesCache ? {} : { entries }) };
}

interface EntriesOutput {
  readonly request: ParseRequest;
  readonly overview: Overview;
  /** Undefined: the standard output. */
  readonly path: string | undefined;
  readonly indent: number;
}

/**
 * Writes all entries as one JSON list, gathered ones last. Every entry has every key, so all keys must be known before the
 * first entry is written: the tree is read a second time, from the cache, instead of being held in memory. Only members of
 * gathered entries are held.
 */
async function writeEntries(
  { request, overview, path, indent }: EntriesOutput,
  effects: MatrixEffects,
  context: CliContext,
): Promise<void> {
  const file = path === undefined ? undefined : await context.disk.openWriter(path);
  const output = file ?? context.stdout;
  const keys = [...overview.settings.keys()];
  const members: MatrixEntry[] = [];
  let separator = '[';
  const uniform = (entry: MatrixEntry): MatrixEntry => ({
    ...entry,
    settings: withEveryKey(entry.settings, keys),
  });
  const write = (entry: MatrixEntry) => {
    output.write(`${separator}${jsonText(entry, indent)}`);
    separator = ',';
  };
  const take = (entry: MatrixEntry) => {
    write(uniform(entry));
    if (gatheredSettings(entry.settings)) members.push(entry);
  };
  try {
    if (overview.entries) for (const entry of overview.entries) take(entry);
    else await readEntries(request, take, effects);
    for (const entry of gatherEntries(members)) write(withMembers(uniform(entry), uniform));
    output.write(`${indent > 0 ? '\n' : ''}]\n`);
    file?.finish();
  } finally {
    file?.discard();
  }
}

function withMembers(entry: MatrixEntry, change: (member: MatrixEntry) => MatrixEntry): MatrixEntry {
  const { gathered } = entry;
  return gathered ? { ...entry, gathered: { ...gathered, members: gathered.members.map(change) } } : entry;
}

function jsonText(entry: MatrixEntry, indent: number): string {
  const text = JSON.stringify(entryJson(entry), null, indent);
  return indent === 0 ? text : `\n${text.replace(/^/gm, ' '.repeat(indent))}`;
}

/**
 * An entry with the field names of the original's matrix file. `stats` and `processed_key` were always empty there, and
 * `import_settings` the settings as rewritten; `problems` is ours and only there when something was lost.
 */
function entryJson(entry: MatrixEntry): JsonObject {
  const { settings, location, exitCode, gathered, problems } = entry;
  return {
    is_gathered: gathered !== undefined,
    settings,
    stats: {},
    location,
    results: gathered ? gathered.members.map(entryJson) : entry.results,
    exit_code: exitCode,
    processed_key: {},
    import_settings: settings,
    ...(gathered ? { gathered_keys: gathered.keys } : {}),
    ...(problems.length > 0 ? { problems } : {}),
  };
}

const MAX_VALUES = 20;
/** Width of the name of a setting, as in the original tool. */
const NAME_WIDTH = 20;

/** The settings with their values, then the counts. */
function describeMatrix({ report, settings }: Overview): string {
  const rows = [...settings].map(
    ([key, values]) => `${visible(key).padEnd(NAME_WIDTH)} ${valuesText(values)}\n`,
  );
  return plainly(`${rows.join('')}${describeCounts(report)}`);
}

function describeCounts(report: ParseReport): string {
  const { entries, gathered, tests, complete, partial, unfinished, broken, filtered, duplicates, cached } =
    report;
  const parts = [
    `${complete} complete`,
    partial > 0 && `${partial} partial`,
    unfinished > 0 && `${unfinished} unfinished or skipped`,
    broken > 0 && `${broken} broken`,
    filtered > 0 && `${filtered} filtered out`,
    duplicates > 0 && `${duplicates} left out as duplicates`,
    cached > 0 && `${cached} from the cache`,
  ].filter((part) => part !== false);
  const all = counted(entries, 'entry', 'entries');
  const groups = gathered > 0 ? ` and ${gathered} gathered` : '';
  return `${all}${groups} of ${counted(tests, 'test directory', 'test directories')}: ${parts.join(', ')}.\n`;
}

function valuesText(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => visible(settingText(value)));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
