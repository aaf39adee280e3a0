import { NightmarkError } from '../../../platform/core/errors.ts';
import { cellNumber } from '../../core/cell.ts';
import type { ReadingBuilder } from '../../core/reading.ts';
import type { Selection } from '../../core/selection.ts';
import type { Table } from '../../core/table.ts';

type Row = readonly string[];

/**
 * The tables of a file: usually one. Where a writer met new columns it may repeat the header with them further down;
 * from there on the rows are those of the new header.
 */
export function toTables(
  records: readonly Row[],
  selection: Selection,
  reading: ReadingBuilder,
): readonly Table[] {
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

/** Names without blanks around them, each once; a nameless column is called by its number. */
function columnNames(header: Row): Row {
  const names = new Set<string>();
  for (const [index, cell] of header.entries()) {
    let name = cell.trim() || `column ${index + 1}`;
    while (names.has(name)) name = `${name} (${index + 1})`;
    names.add(name);
  }
  return [...names];
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
