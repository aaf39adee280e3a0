import { type CliContext, EXIT, type ExitCode } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { resolvePath } from '../../../platform/core/path.ts';
import { counted, formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { readLineBlocks } from '../../../platform/core/text/read-lines.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { certaintyText, driftText, effectText } from '../../core/changes/change-text.ts';
import { judgeSeries } from '../../core/changes/judge-series.ts';
import { type SeriesText, SeriesTextReader } from '../../core/changes/parse-series.ts';
import type { NewestVerdict, SeriesLevels } from '../../core/levels/levels.ts';
import { textChart } from './text-chart.ts';

/** The levels of one series, and the changes between them. */
export function describeSeries(text: SeriesText, isJson: boolean, { stdout }: CliContext): ExitCode {
  const { values, gaps } = text;
  const {
    levels,
    changes,
    newest: standing,
  } = judgeSeries({
    ...{ values, better: 'unknown', acceptsLevels: true },
  });
  // One value that left its level is no level yet.
  const isYoung = changes.at(-1)?.isProvisional ?? false;
  const newest = values.some(Number.isFinite) ? standing : undefined;
  if (isJson) stdout.write(`${JSON.stringify(toJson(text, levels, newest))}\n`);
  else {
    const used = values.length - gaps;
    const lines = [headline(text, levels, used)];
    if (stdout.isTerminal && values.length > 0)
      lines.push(...chart(values, levels, (stdout.columns || 80) - 4));
    lines.push(
      ...table(text, levels),
      ...drifts(text, levels),
      ...modes(levels),
      ...(isYoung ? newestLine(newest, levels) : []),
    );
    stdout.write(`${lines.join('\n')}\n`);
  }
  return levels.levels.length === 0 ? EXIT.nothingToCompare : EXIT.fine;
}

function headline({ values, gaps, column }: SeriesText, { changes }: SeriesLevels, used: number): string {
  const name = column === undefined ? '' : `${visible(column)}: `;
  const missing = gaps === 0 ? '' : ` and ${counted(gaps, 'gap')}`;
  if (used === 0)
    return `${name}no value${gaps === 0 ? '' : `, only ${counted(gaps, 'gap')}`}: nothing to analyse.`;
  const found = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  return plainly(`${name}${found} in ${counted(values.length - gaps, 'value')}${missing}`);
}

function chart(values: Float64Array, { changes }: SeriesLevels, width: number): readonly string[] {
  const [course, marks] = textChart(
    values,
    changes.map(({ index }) => index),
    Math.min(width, 120),
  );
  return [`  ${course}`, ...(marks === '' ? [] : [`  ${marks}`])];
}

/** Index counts from 0, as programs do; the line is what an editor shows. */
function table({ firstLine }: SeriesText, { levels, changes }: SeriesLevels): readonly string[] {
  if (levels.length === 0) return [];
  const rows = levels.map(({ start, value, count }, index) => {
    const change = changes[index - 1];
    const effect = change ? [effectText(change.shift, ''), certaintyText(change.p)] : ['', ''];
    return [String(start), String(start + firstLine), plainly(formatNumber(value)), String(count), ...effect];
  });
  const heads = ['index', 'line', 'level', 'values', 'effect', 'certainty'];
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.slice(0, MAX_ROWS).map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => (column < 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join('  ')}`.trimEnd();
  const more = rows.length - MAX_ROWS;
  return [
    line(heads),
    ...rows.slice(0, MAX_ROWS).map(line),
    ...(more > 0 ? [`  and ${more} more: --json`] : []),
  ];
}

const MAX_ROWS = 200;

/** Drifts. They are not changes: nothing happened at any one place. */
function drifts({ firstLine }: SeriesText, { levels }: SeriesLevels): readonly string[] {
  return levels
    .slice(0, MAX_ROWS)
    .flatMap(({ drift }) =>
      drift
        ? [
            `From line ${drift.start + firstLine} to ${drift.end - 1 + firstLine} it ${driftText(drift, '')}: a drift, not a change.`,
          ]
        : [],
    );
}

function modes({ modes }: SeriesLevels): readonly string[] {
  if (modes.length === 0) return [];
  const parts = modes.map(({ value, share }) => `${formatNumber(value)} (${Math.round(share * 100)} %)`);
  return [plainly(`It jumps between ${parts.join(' and ')}: modes, no changes.`)];
}

/** Only when the newest value stands out: one value is not a level yet. */
function newestLine(newest: NewestVerdict | undefined, { levels }: SeriesLevels): readonly string[] {
  if (newest?.verdict !== 'changed' || !newest.shift) return [];
  const level = plainly(formatNumber(levels.at(-1)?.value ?? Number.NaN));
  return [
    `The newest value is off its level of ${level}: ${effectText(newest.shift, '')}; provisional, one value is not a level yet.`,
  ];
}

function toJson(
  { firstLine, column, gaps, values }: SeriesText,
  found: SeriesLevels,
  newest: NewestVerdict | undefined,
) {
  const { levels, changes, modes, noise } = found;
  return {
    ...(column !== undefined && { column }),
    values: values.length - gaps,
    gaps,
    changes: changes.map((change) => ({ line: change.index + firstLine, ...change })),
    levels,
    modes,
    noise,
    newest: newest ?? null,
  };
}

const MAX_LINE_BYTES = 1024 * 1024;

/** A series from a file of any length; only its numbers are kept. */
export async function readSeriesFile(
  file: string,
  column: string | undefined,
  { cwd, disk }: CliContext,
): Promise<SeriesText> {
  const chunks = await disk.readChunks(resolvePath(cwd, file));
  if (!chunks) throw new NightmarkError('CHANGES_NOTHING_THERE', `There is no ${file}.`);
  const reader = new SeriesTextReader(file, column);
  const onCut = () => {
    throw new NightmarkError('CHANGES_NOT_A_NUMBER', `${file} has a line longer than a megabyte.`, {
      hint: 'Is it a text file? Write one number a line, or a table with commas.',
    });
  };
  for await (const block of readLineBlocks(chunks, MAX_LINE_BYTES, onCut)) {
    for (const line of block) reader.push(line);
  }
  return reader.finish();
}

export async function readSeriesInput(
  column: string | undefined,
  { stdin }: CliContext,
): Promise<SeriesText> {
  const reader = new SeriesTextReader('standard input', column);
  if (stdin) for await (const line of stdin) reader.push(line);
  return reader.finish();
}
