import type { Command as Parser } from 'commander';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { parseYamlValue } from '../../platform/config/parse-yaml.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import {
  emptyReason,
  type MatrixEffects,
  type ParseReport,
  type ParseRequest,
  parentFolders,
} from '../app/parse/parse-request.ts';
import { parseFilters } from '../core/filters.ts';

/** Enough to keep a disk busy. */
const JOBS = 8;

/** Options of every command that reads a tree of results. */
export function addParseOptions(parser: Parser): Parser {
  return parser
    .argument('<dir>', 'folder of results')
    .requiredOption('-w, --workload <file>', 'how the tests are read: a .yml file, or a module')
    .option('--filter <filters>', 'only these tests: key=v1:v2,key2=v3')
    .option('--no-cache', 'read every file again, without the cache')
    .option('--jobs <count>', `tests to read at a time (default: ${JOBS})`)
    .option(
      '--compat',
      'the original\'s rules: settings of all parent folders, 4 and "4" are one, True only',
    );
}

interface ParsePlace {
  readonly workload: Workload;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function parseRequest(
  dir: string,
  options: Options,
  { workload, cwd, env = {} }: ParsePlace,
): ParseRequest {
  const isCompat = flag(options, 'compat');
  return {
    dir: resolvePath(cwd, dir),
    label: dir,
    workload,
    filters: parseFilters(textOption(options, 'filter') ?? ''),
    parents: isCompat ? parentFolders(dir, cwd) : [],
    isCompat,
    usesCache: options['cache'] !== false && !IGNORING.has(env['MATBENCH_STORE_IGNORE_CACHE'] ?? ''),
    jobs: jobsOf(textOption(options, 'jobs')),
  };
}

/** Values that the original tool accepts as yes. */
const IGNORING: ReadonlySet<string> = new Set(['yes', 'y', 'true', 'True']);

export function matrixEffects({ disk, clock, signal }: CliContext): MatrixEffects {
  return { disk, clock, signal, parseYaml: parseYamlValue };
}

function jobsOf(text: string | undefined): number {
  if (text === undefined) return JOBS;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --jobs: ${text}`, {
    hint: 'Give a whole number from 1 to 9999.',
  });
}

/** A line for each thing that went wrong. */
export function describeParseProblems({ problems, moreProblems }: ParseReport): string {
  const lines = problems
    .slice(0, MAX_LINES)
    .map(({ location, reason }) => `${visible(location)}: ${visible(reason)}\n`);
  const more = problems.length - lines.length + moreProblems;
  return `${lines.join('')}${more > 0 ? `and ${more} more\n` : ''}`;
}

const MAX_LINES = 40;

/** The error for a tree without entries or KPIs. */
export function noResults(dir: string, what: 'entries' | 'KPIs', report: ParseReport): NightmarkError {
  return new NightmarkError('MATRIX_NO_RESULTS', `No ${what} found in ${dir}. ${emptyReason(report)}`, {
    hint: 'A test directory has a settings file and an exit_code; see docs/guide/matrix-results.md.',
  });
}
