import { NightmarkError } from '../../../platform/core/errors.ts';
import { parseCsv } from '../../../platform/core/text/csv.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';

export interface SeriesText {
  readonly values: Float64Array;
  /** Line of each value is its index plus this: from 1. */
  readonly firstLine: number;
  /** Name of the column, where there is a header. */
  readonly column?: string;
  /** Missing values: blank, "nan", "failed" and the like. */
  readonly gaps: number;
}

/** Texts that stand for a missing value; infinities count as missing. */
const GAPS = new Set([
  ...[
    '',
    '-',
    '~',
    '?',
    'nan',
    'na',
    'n/a',
    '#n/a',
    'null',
    'none',
    'nil',
    'missing',
    'skipped',
    'inf',
    '-inf',
    '+inf',
  ],
  ...['infinity', '-infinity', 'fail', 'failed', 'failure', 'error', 'timeout', 'crash', 'crashed', 'killed'],
]);
const SEPARATORS = [',', '\t', ';'] as const;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads a series line by line: one number each, or a column of a table. A first line that holds a word which is neither a
 * number nor a gap is a header. Blank lines are gaps, except at the end.
 */
export class SeriesTextReader {
  readonly #wanted: string | undefined;
  readonly #origin: string;
  #values = new Float64Array(1024);
  #count = 0;
  #gaps = 0;
  /** Gaps at the end, which count when something follows. */
  #open = 0;
  #line = 0;
  #layout: Layout | undefined;

  constructor(origin: string, wanted?: string) {
    this.#origin = origin;
    this.#wanted = wanted;
  }

  push(text: string): void {
    this.#line++;
    const line = this.#line === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (!this.#layout) {
      if (line.trim() === '') return;
      this.#layout = layoutOf(line, { wanted: this.#wanted, origin: this.#origin, line: this.#line });
      if (this.#layout.firstLine > this.#line) return;
    }
    const value = this.#read(line, this.#layout);
    if (Number.isNaN(value) && line.trim() === '') this.#open++;
    else {
      for (; this.#open > 0; this.#open--) this.#add(Number.NaN);
      this.#add(value);
    }
  }

  finish(): SeriesText {
    const { firstLine = 1, name } = this.#layout ?? {};
    return {
      values: this.#values.slice(0, this.#count),
      firstLine,
      gaps: this.#gaps,
      ...(name !== undefined && { column: name }),
    };
  }

  #read(line: string, { separator, index }: Layout): number {
    const cell = (separator === undefined ? line : (cellsOf(line, separator)?.[index] ?? '')).trim();
    if (NUMBER.test(cell)) return Number(cell);
    if (GAPS.has(cell.toLowerCase())) return Number.NaN;
    throw new NightmarkError(
      'CHANGES_NOT_A_NUMBER',
      `${this.#origin}:${this.#line}: ${JSON.stringify(cell.slice(0, 60))} is not a number.`,
      {
        hint: 'Write one number a line, without a unit. A blank line, "nan" or "failed" stands for a value that is missing.',
      },
    );
  }

  #add(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    if (!Number.isFinite(value)) this.#gaps++;
    this.#values[this.#count++] = Number.isFinite(value) ? value : Number.NaN;
  }
}

interface Layout {
  readonly separator: string | undefined;
  readonly index: number;
  readonly firstLine: number;
  readonly name?: string;
}

interface ColumnRequest {
  readonly wanted: string | undefined;
  readonly origin: string;
  readonly line: number;
}

function layoutOf(first: string, { wanted, origin, line }: ColumnRequest): Layout {
  const separator = SEPARATORS.find((character) => first.includes(character));
  const cells = (separator === undefined ? [first] : (cellsOf(first, separator) ?? [first])).map((cell) =>
    cell.trim(),
  );
  const isHeader = cells.some((cell) => !NUMBER.test(cell) && !GAPS.has(cell.toLowerCase()));
  const names = isHeader ? cells : cells.map((_, index) => String(index + 1));
  const index = columnOf(names, { wanted, origin, line });
  const name = isHeader ? names[index] : undefined;
  return { separator, index, firstLine: isHeader ? line + 1 : line, ...(name !== undefined && { name }) };
}

/** By name, else by number from 1. */
function columnOf(names: readonly string[], { wanted, origin, line }: ColumnRequest): number {
  if (wanted === undefined) {
    if (names.length === 1) return 0;
    throw new NightmarkError(
      'CHANGES_WHICH_COLUMN',
      `${origin}:${line}: there are ${names.length} columns.`,
      {
        hint: `Choose one with --column: ${shown(names)}`,
      },
    );
  }
  const byName = names.indexOf(wanted);
  if (byName >= 0) return byName;
  const number = /^\d{1,6}$/.test(wanted) ? Number(wanted) : 0;
  if (number >= 1 && number <= names.length) return number - 1;
  const close = nearest(wanted, names);
  throw new NightmarkError(
    'CHANGES_NO_COLUMN',
    `${origin}:${line}: there is no column ${JSON.stringify(wanted)}.`,
    {
      hint:
        close === undefined
          ? `There are: ${shown(names)}`
          : `Did you mean "${close}"? There are: ${shown(names)}`,
    },
  );
}

function shown(names: readonly string[]): string {
  const first = names.slice(0, 20).map((name) => name.slice(0, 60));
  return `${first.join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`;
}

/** Most lines have no quotes and are only cut. */
function cellsOf(line: string, separator: string): readonly string[] | undefined {
  if (!line.includes('"') || separator !== ',') return line.split(separator);
  return parseCsv(line)?.[0];
}
