import type { IterationReading } from '../../../formats/core/format.ts';
import { csvCell } from '../../../platform/core/text/csv.ts';
import type { ResultName } from '../duet.ts';

/** The iterations of one result file, with all that the table says of them. */
export interface TableFile {
  readonly name: ResultName;
  readonly reading: IterationReading;
  readonly artifacts: readonly Artifact[];
  /** Name of the folder it is from. */
  readonly results: string;
}

/** The same for all rows of a file, or a text for each. */
export type Cells = string | readonly string[];

/** How a kind of table is made: which columns, and what they hold. Empty text is a missing cell. */
export interface TableForm {
  readonly columns: readonly string[];
  cells(file: TableFile, column: string): Cells;
}

/** Columns that every table has, in their order. */
const BASE_COLUMNS: readonly string[] = [
  'suite',
  'benchmark',
  'type',
  'order',
  'pair',
  'runid',
  'iteration',
  'iteration_start_ns',
  'iteration_end_ns',
  'iteration_time_ns',
];
const DOCUMENTED = ['epoch_start_ms', 'uptime_ns', 'total_ms', 'start_unix'];

interface FoundColumns {
  /** In the order in which they were met. */
  readonly extra: Iterable<string>;
  readonly artifacts: Iterable<string>;
  /** Several folders: then a column names the folder. */
  readonly hasSeveralFolders: boolean;
}

/** The columns that always are, those of the harnesses, the folder, and the artifacts; each once. */
export function orderColumns({ extra, artifacts, hasSeveralFolders }: FoundColumns): readonly string[] {
  const found = new Set(extra);
  const named = new Set(artifacts);
  return [
    ...new Set([
      ...BASE_COLUMNS,
      ...DOCUMENTED.filter((name) => found.has(name)),
      ...found,
      ...(hasSeveralFolders ? ['results'] : []),
      ...KNOWN_ARTIFACTS.filter((name) => named.has(name)),
      ...named,
    ]),
  ];
}

/** Exact: whole nanoseconds as digits, everything else as it was written. */
export function exactForm(columns: readonly string[]): TableForm {
  return { columns, cells: exactCells };
}

function exactCells(file: TableFile, column: string): Cells {
  const { name, reading, artifacts, results } = file;
  const { numbers, starts, ends, times, originNs, extra } = reading;
  switch (column) {
    case 'suite':
    case 'benchmark':
    case 'type':
    case 'order':
    case 'pair':
      return name[column];
    case 'runid':
      return String(name.runid);
    case 'iteration':
      return Array.from(numbers, String);
    case 'iteration_start_ns':
      return starts === undefined ? '' : timestampTexts(originNs, starts);
    case 'iteration_end_ns':
      return ends === undefined ? '' : timestampTexts(originNs, ends);
    case 'iteration_time_ns':
      return Array.from(times, String);
    default:
      return otherCells(column, { artifacts, extra, results });
  }
}

/** An artifact wins over a column of the harness with its name, as in the original. */
export function otherCells(
  column: string,
  { artifacts, extra, results }: Pick<TableFile, 'artifacts' | 'results'> & Pick<IterationReading, 'extra'>,
): Cells {
  const artifact = artifacts.find(({ name }) => name === column);
  return artifact?.value ?? extra.get(column) ?? (column === 'results' ? results : '');
}

const BILLION = 1_000_000_000n;

/** Nanoseconds since 1970, in digits: seconds and nanoseconds apart are exact in doubles, together they are not. */
export function timestampTexts(originNs: bigint, offsets: Float64Array): readonly string[] {
  if (originNs < 0n) return Array.from(offsets, (offset) => String(originNs + BigInt(offset)));
  const seconds = Number(originNs / BILLION);
  const nanos = Number(originNs % BILLION);
  return Array.from(offsets, (offset) => {
    const total = nanos + offset;
    const rest = total % 1e9;
    const whole = seconds + (total - rest) / 1e9;
    if (whole <= 0 || rest < 0) return String(originNs + BigInt(offset));
    return `${whole}${String(rest).padStart(9, '0')}`;
  });
}

/** How a table is written. */
export interface TableSyntax {
  readonly extension: 'csv' | 'json';
  begin(columns: readonly string[]): string;
  rows(form: TableForm, file: TableFile, isFirst: boolean): string;
  readonly end: string;
}

export const csvSyntax: TableSyntax = {
  extension: 'csv',
  begin: (columns) => `${columns.map(csvCell).join(',')}\n`,
  rows: (form, file) =>
    joinRows(
      file,
      form.columns.flatMap((column, index) => [
        index === 0 ? '' : ',',
        DIGITS.has(column) ? form.cells(file, column) : mapCells(form.cells(file, column), csvCell),
      ]),
      '\n',
    ),
  end: '',
};

/** A list of objects, a row a line; missing cells are null. */
export const jsonSyntax: TableSyntax = {
  extension: 'json',
  begin: () => '[',
  rows(form, file, isFirst) {
    const pieces = form.columns.flatMap((column, index) => [
      `${index === 0 ? '\n{' : ','}${JSON.stringify(column)}:`,
      mapCells(form.cells(file, column), TEXT_COLUMNS.has(column) ? jsonText : jsonCell),
    ]);
    const rows = joinRows(file, [',', ...pieces], '}');
    return isFirst ? rows.slice(1) : rows;
  },
  end: '\n]\n',
};

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/;

function jsonText(text: string): string {
  return text === '' ? 'null' : JSON.stringify(text);
}

function jsonCell(text: string): string {
  return JSON_NUMBER.test(text) ? text : jsonText(text);
}

function mapCells(cells: Cells, write: (text: string) => string): Cells {
  return typeof cells === 'string' ? write(cells) : cells.map(write);
}

/** Neighbours that are the same in all rows are joined once. */
function joinRows({ reading }: TableFile, cells: readonly Cells[], end: string): string {
  const pieces: Cells[] = [];
  for (const cell of [...cells, end]) {
    const last = pieces.at(-1);
    if (typeof cell === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + cell;
    else pieces.push(cell);
  }
  // One join at the end of a file: a text that grows piece by piece is a tree, which is slow to make and to write.
  const texts: string[] = [];
  for (let row = 0; row < reading.numbers.length; row++) {
    for (const piece of pieces) texts.push(typeof piece === 'string' ? piece : (piece[row] ?? ''));
  }
  return texts.join('');
}

/** What a file of the folder artifacts/ is called and says: a column that is the same for the whole folder. */
export interface Artifact {
  readonly name: string;
  readonly value: string;
}

/** Longer texts are cut to their first line: a column is not the place for a manual. */
const MAX_LENGTH = 200;
/** Artifacts of which one line is meant, by what stands before it. */
const LABELS: Readonly<Record<string, string>> = { lscpu: 'Model name:', meminfo: 'MemTotal:' };
const WHOLE = ['date', 'hostname', 'uname'];

/** In the order of their columns: those that everybody has, then others by name. */
export const KNOWN_ARTIFACTS: readonly string[] = [...WHOLE, ...Object.keys(LABELS)];

/** Columns that never need quotes, nor a check for them. */
const DIGITS = new Set(['iteration', 'iteration_start_ns', 'iteration_end_ns', 'iteration_time_ns']);
const TEXT_COLUMNS = new Set(['suite', 'benchmark', 'type', 'order', 'pair', 'results', ...KNOWN_ARTIFACTS]);

export function artifactValue(name: string, text: string): string {
  const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
  if (label !== undefined) return labelled(text, label);
  const trimmed = text.trim();
  if (WHOLE.includes(name) || trimmed.length <= MAX_LENGTH) return trimmed;
  return (trimmed.split('\n', 1)[0] ?? '').trim().slice(0, MAX_LENGTH);
}

/** Of the first line with the label, what stands between its first and its second colon. */
function labelled(text: string, label: string): string {
  const line = text.split('\n').find((it) => it.includes(label)) ?? '';
  return (line.split(':')[1] ?? '').trim();
}
