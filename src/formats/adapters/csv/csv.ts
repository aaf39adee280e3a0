import { NightmarkError } from '../../../platform/core/errors.ts';
import { type CsvRecords, readCsv } from '../../../platform/core/text/csv.ts';
import { cellNumber, columnNames } from '../../core/cell.ts';
import type { Format } from '../../core/format.ts';
import { readTable } from '../../core/read-table.ts';
import { createReading, type ReadingBuilder, requireNumbers } from '../../core/reading-builder.ts';
import { createSelection, type Selection, type Table } from '../../core/result-table.ts';

/** A table with a header line; separated by comma, semicolon or tab. */
const csv: Format = {
  id: 'csv',
  title: 'CSV or TSV with a header line',
  recognizes: (head) => (looksLikeCsv(head) ? 'maybe' : 'no'),
  read(text, mapping) {
    const reading = createReading();
    const selection = createSelection(mapping);
    for (const table of toTables(parseRecords(text), selection, reading))
      readTable(table, selection, reading);
    selection.requireAllUsed();
    return requireNumbers(reading.finish(), NO_NUMBERS_HINT);
  },
};

const NO_NUMBERS_HINT =
  'Say which column with "value" in the mapping, and check that the decimal sign is a point.';
const HINT = 'Write a header line with the names of the columns, then one line for each result.';

function parseRecords(text: string): CsvRecords {
  const records = parseStrict(text);
  if (records.length === 0)
    throw new NightmarkError('IMPORT_EMPTY', 'There is nothing in it.', { hint: HINT });
  if (records.length > 1) return records;
  throw new NightmarkError('IMPORT_EMPTY', 'There is a header line, but no row below it.', { hint: HINT });
}

function parseStrict(text: string): CsvRecords {
  const found = readCsv(text, findDelimiter(text));
  if ('records' in found) return found.records;
  throw new NightmarkError(
    'IMPORT_BROKEN_CSV',
    `It is not valid CSV: in line ${found.brokenLine} a quote is not closed, or is inside of a cell.`,
    {
      hint: 'A cell with a quote, a line break or the separator is written in double quotes, a quote in it as two.',
    },
  );
}

export default csv;

const DELIMITERS = [',', ';', '\t'] as const;
const LOOKED_AT = 20;

/** The separator that occurs most in the first line, outside of quotes. */
function findDelimiter(text: string): (typeof DELIMITERS)[number] {
  const header = withoutQuoted(firstLines(text, 1)[0] ?? '');
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A header of which not all is a number, and below it a row of as many cells with a number in it. */
function looksLikeCsv(head: string): boolean {
  if (/^\uFEFF?\s*[{[<]/.test(head)) return false;
  const [header = '', ...rows] = firstLines(head, LOOKED_AT);
  const delimiter = findDelimiter(head);
  const names = withoutQuoted(header).split(delimiter);
  if (names.every(isNumber)) return false;
  return rows.some((row) => {
    const cells = withoutQuoted(row).split(delimiter);
    return cells.length === names.length && cells.some(isNumber);
  });
}

function isNumber(cell: string): boolean {
  return typeof cellNumber(cell) === 'number';
}

/** Lines with something on them. Only the start is read: a line may be a gigabyte. */
function firstLines(text: string, count: number): readonly string[] {
  const lines = text
    .slice(0, 65_536)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/);
  return lines.filter((line) => line.trim() !== '').slice(0, count);
}

/** Quoted numbers are still numbers; other quoted text only hides separators. */
function withoutQuoted(line: string): string {
  return line.replace(/"((?:[^"]|"")*)"/g, (_, inner: string) => (isNumber(inner) ? inner : 'x'));
}

type Row = readonly string[];

/**
 * The tables of a file: usually one. Where a writer met new columns it may repeat the header with them further down;
 * from there on the rows are those of the new header.
 */
function toTables(records: readonly Row[], selection: Selection, reading: ReadingBuilder): readonly Table[] {
  const tables: Table[] = [];
  let header = columnNames(records[0] ?? []);
  if (selection.values === undefined) refuseNumbersAsHeader(header);
  let start = 1;
  const close = (end: number) => {
    if (end > start) tables.push(toTable(header, records.slice(start, end), start, reading));
  };
  for (let index = 1; index < records.length; index++) {
    const record = records[index] ?? [];
    if (!isHeaderAgain(record, header)) continue;
    close(index);
    header = columnNames(record);
    reading.skipped.push(`row ${index} repeats the header`);
    start = index + 1;
  }
  close(records.length);
  return tables;
}

/** Rows are counted from 1 below the first header; blank lines do not count. */
function toTable(columns: Row, rows: readonly Row[], start: number, reading: ReadingBuilder): Table {
  const where = (row: number) => `row ${start + row}`;
  for (const [index, row] of rows.entries()) {
    if (row.length <= columns.length || row.slice(columns.length).every((cell) => cell.trim() === ''))
      continue;
    reading.failed.push(
      `${where(index)} has ${row.length} cells for ${columns.length} columns: the rest is not read`,
    );
  }
  return { at: [], columns, rows, isAllText: true, where };
}

function isHeaderAgain(record: Row, header: Row): boolean {
  // The first test is for speed: a row of data seldom has the name of a column in it.
  const first = header[0] ?? '';
  if (!record.some((cell) => cell.trim() === first) || record.length < header.length) return false;
  const cells = new Set(columnNames(record));
  return header.every((name) => cells.has(name) && cellNumber(name) === 'other');
}

function refuseNumbersAsHeader(header: Row): void {
  if (!header.every((name) => typeof cellNumber(name) === 'number')) return;
  throw new NightmarkError(
    'IMPORT_NO_HEADER',
    `The first line has only numbers: ${header.slice(0, 5).join(', ')}.`,
    {
      hint: 'Write a header line with the names of the columns above it.',
    },
  );
}
