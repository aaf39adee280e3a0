import pc from 'picocolors';
import type { Output } from '../../platform/cli/context.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { counted, formatChange, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { ChangedFile, ComparedCode } from '../app/compare-code.ts';
import type { ComparedRow, ComparedSection } from '../core/compare-jobs.ts';
import { type Job, shortId } from '../core/job.ts';
import { shownStatus } from '../core/shown-job.ts';
import { jobTitle } from './confirm.ts';
import { cut, textTable } from './text-table.ts';

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
    const told = fileLines(file, colors);
    lines.push(...told.slice(0, Math.max(1, left)));
    left -= told.length;
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
