import pc from 'picocolors';
import { numberOption } from '../../executors/cli/place-options.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { type CliContext, type CommandModule, EXIT, flag, type Output } from '../../platform/cli/command.ts';
import { cut, textTable } from '../../platform/cli/text-table.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { counted, formatChange, plainly } from '../../platform/core/text/numbers.ts';
import { safeJson, visible } from '../../platform/core/text/terminal-text.ts';
import { type ChangedFile, type ComparedCode, compareCode } from '../app/compare-code.ts';
import { type ComparedRow, type ComparedSection, compareJobs } from '../core/compare-jobs.ts';
import { type Job, shortId } from '../core/job.ts';
import { shownStatus } from '../core/shown-job.ts';
import { findJob } from './job-selector.ts';
import { jobTitle } from './job-text.ts';
import { declareQueue, type JobHome, withJobs } from './open-queue.ts';

const EXAMPLES = `
Side by side, and only what differs: configuration, code (of two jobs also file by file), environment and results. Behind two
numbers stands how much the second has more than the first.

Examples:
  nightmark job diff 3f9a1c 77be02
  nightmark job diff 3f9a1c 77be02 --all                equal ones too
  nightmark job diff 3f9a1c 77be02 41cc9d               three or more
  nightmark job diff 3f9a1c 77be02 --json`;

const MOST_JOBS = 50;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id...>', 'ids of two or more jobs, or any parts that only they have')
      .option('--all', 'show what is equal, too')
      .option('--lines <n>', 'lines of differences of files, at most', '200')
      .option('--no-files', 'do not compare files')
      .option('--json', 'print it as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (home) => {
      if (words.length < 2 || words.length > MOST_JOBS)
        throw new NightmarkError(
          'JOBS_TO_COMPARE',
          `2 to ${MOST_JOBS} jobs are compared, not ${words.length}.`,
          {
            hint: 'For example: nightmark job diff 3f9a1c 77be02',
          },
        );
      const jobs: Job[] = [];
      for (const id of words) jobs.push(await findJob(id, home.queue));
      const now = home.queue.now();
      const sections = compareJobs(jobs, now);
      const code = options['files'] === false ? undefined : await compareFiles(jobs, home, context);
      const isAll = flag(options, 'all');
      const mostLines = numberOption(options, 'lines') ?? 200;
      const { stdout } = context;
      if (flag(options, 'json')) stdout.write(`${safeJson(asJson(jobs, { sections, code, isAll }))}\n`);
      else stdout.write(diffText(jobs, { sections, code }, { now, isAll, mostLines, output: stdout }));
      return EXIT.fine;
    });
  },
};

export default command;

/** A missing package is a warning, and the rest is compared. */
async function compareFiles(
  [first, second, ...others]: readonly Job[],
  { queue, home }: JobHome,
  context: CliContext,
): Promise<ComparedCode | undefined> {
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  const { disk, env, signal, stderr, processId } = context;
  const { tarArchiver } = await import('../../platform/adapters/tar/tar.ts');
  const staging = joinPath(homeLayout(home).staging, `diff-${processId}`);
  try {
    return await compareCode([first, second], staging, { queue, disk, env, signal, archiver: tarArchiver });
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    stderr.write(`warning: the files cannot be compared. ${error.message}\n`);
    return undefined;
  }
}

interface Compared {
  readonly sections: readonly ComparedSection[];
  readonly code: ComparedCode | undefined;
  readonly isAll: boolean;
}

/** Missing values are null, and named in `missing` by their place, because null is a value too. */
function asJson(jobs: readonly Job[], { sections, code, isAll }: Compared) {
  return {
    jobs: jobs.map(({ id, project, experiment, name, status }) => ({
      id,
      project,
      experiment,
      name,
      status,
    })),
    sections: sections.map(({ title, rows }) => ({
      title,
      hidden: isAll ? 0 : rows.filter(({ isEqual }) => isEqual).length,
      rows: rows
        .filter(({ isEqual }) => isAll || !isEqual)
        .map(({ values, ...row }) => ({
          ...row,
          values: values.map((value) => value ?? null),
          missing: values.flatMap((value, at) => (value === undefined ? [at] : [])),
        })),
    })),
    ...(code && { files: code }),
  };
}

type Colors = ReturnType<typeof pc.createColors>;

export interface DiffTextOptions {
  readonly now: number;
  /** Equal ones too. */
  readonly isAll: boolean;
  /** Lines of differences of files, all of them together. */
  readonly mostLines: number;
  readonly output: Output;
}

const WIDEST_KEY = 50;
const NARROWEST_VALUE = 16;
const MOST_NAMES = 30;

/** Who is compared, then what differs, one section after the other. */
export function diffText(
  jobs: readonly Job[],
  {
    sections,
    code,
  }: { readonly sections: readonly ComparedSection[]; readonly code?: ComparedCode | undefined },
  options: DiffTextOptions,
): string {
  const colors = pc.createColors(options.output.hasColor);
  const letters = jobs.map((_, at) => letterOf(at));
  const lines = jobs.map(
    (job, at) => `${letters[at]}  ${shortId(job.id)} ${jobTitle(job)} ${shownStatus(job, options.now)}`,
  );
  for (const section of sections) {
    lines.push('', ...sectionLines(section, letters, { ...options, colors }));
    if (section.title === 'code' && code) lines.push(...codeLines(code, { ...options, colors }));
  }
  return `${lines.join('\n')}\n`;
}

interface Painted extends DiffTextOptions {
  readonly colors: Colors;
}

function sectionLines(
  { title, rows }: ComparedSection,
  letters: readonly string[],
  { isAll, output, colors }: Painted,
): readonly string[] {
  const shown = rows.filter(({ isEqual }) => isAll || !isEqual);
  const hidden = rows.length - shown.length;
  const equal = hidden === 0 ? '' : plainly(`${counted(hidden, 'equal key')} hidden`);
  if (shown.length === 0)
    return [`${colors.bold(title)}: ${rows.length === 0 ? 'nothing known' : `no difference, ${equal}`}`];
  const widest = valueWidth(shown, letters.length, output);
  const cells = shown.map(({ key, values, change }) => [
    cut(visible(key), WIDEST_KEY),
    ...values.map((value) => cut(valueText(value), widest)),
    change === undefined ? '' : plainly(formatChange(change)),
  ]);
  const table = textTable([['', ...letters], ...cells], {
    paint: (text, row, column) => {
      if (row === 0) return colors.dim(text);
      if (shown[row - 1]?.isEqual) return colors.dim(text);
      return text === MISSING ? colors.dim(text) : column === 0 ? colors.bold(text) : text;
    },
  });
  return [
    `${colors.bold(title)}${equal === '' ? '' : ` (${equal})`}`,
    ...table.map((line) => `  ${line}`.trimEnd()),
  ];
}

const MISSING = '(missing)';

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return MISSING;
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Side by side: the room that the keys leave, shared. */
function valueWidth(
  rows: readonly ComparedRow[],
  columns: number,
  { isTerminal, columns: width }: Output,
): number {
  if (!isTerminal) return 80;
  const keys = Math.min(WIDEST_KEY, Math.max(...rows.map(({ key }) => key.length)));
  return Math.max(NARROWEST_VALUE, Math.floor((width - keys - 14) / columns) - 2);
}

function codeLines(code: ComparedCode, options: Painted): readonly string[] {
  const { colors, mostLines } = options;
  const { added, removed, changed, equal } = code;
  const lines = [
    `  files: ${changed.length} changed, ${added.length} added, ${removed.length} removed, ${equal} equal`,
    ...names('+', added).map((line) => colors.green(line)),
    ...names('-', removed).map((line) => colors.red(line)),
  ];
  let left = mostLines;
  for (const file of changed) {
    const diffLines = fileLines(file, colors);
    lines.push(...diffLines.slice(0, Math.max(1, left)));
    left -= diffLines.length;
  }
  if (left < 0) lines.push(colors.dim(`  ... ${-left} more lines: --lines N shows more`));
  return lines;
}

function names(sign: string, paths: readonly string[]): readonly string[] {
  const shown = paths.slice(0, MOST_NAMES).map((path) => `  ${sign} ${visible(path)}`);
  return paths.length > MOST_NAMES ? [...shown, `  ${sign} and ${paths.length - MOST_NAMES} more`] : shown;
}

function fileLines(file: ChangedFile, colors: Colors): readonly string[] {
  const name = visible(file.path);
  if (file.type !== 'text')
    return [`  ~ ${name} (${file.type === 'binary' ? 'binary' : 'too large to show'})`];
  const { added, removed, lines } = file.diff;
  return [
    colors.bold(`  ~ ${name} (+${added} -${removed})`),
    ...lines
      .flatMap((line) => line.split('\n'))
      .map((line) => `    ${paintLine(visible(line.replaceAll('\t', '    ')), colors)}`),
  ];
}

function paintLine(line: string, colors: Colors): string {
  if (line.startsWith('+')) return colors.green(line);
  if (line.startsWith('-')) return colors.red(line);
  return line.startsWith('@@') ? colors.cyan(line) : line;
}

/** A to Z, then numbers. */
function letterOf(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : String(at + 1);
}
