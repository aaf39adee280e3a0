import { NightmarkError } from '../../platform/core/errors.ts';
import { readCsv } from '../../platform/core/text/csv.ts';
import { columnNames } from './cell.ts';

/** A row of a table that one tool writes, by the names of its columns. */
export type CsvRow = ReadonlyMap<string, string>;

/** The rows below the header; a table without one of the needed columns, or without rows, is refused. */
export function csvRows(text: string, needed: readonly string[], hint: string): readonly CsvRow[] {
  const found = readCsv(text);
  if (!('records' in found))
    throw new NightmarkError(
      'IMPORT_BROKEN_CSV',
      `It is not valid CSV: in line ${found.brokenLine} a quote is not closed, or is inside of a cell.`,
      { hint },
    );
  const [header = [], ...rows] = found.records;
  const columns = columnNames(header);
  const missing = needed.find((name) => !columns.includes(name));
  if (missing !== undefined)
    throw new NightmarkError('IMPORT_SHAPE', `It has no column "${missing}".`, { hint });
  if (rows.length === 0)
    throw new NightmarkError('IMPORT_EMPTY', 'There is a header line, but no row below it.', { hint });
  return rows.map(
    (row) => new Map(row.map((cell, index) => [columns[index] ?? `column ${index + 1}`, cell])),
  );
}

/** The number in a cell; NaN where there is none, so that it is counted as failed. */
export function numberIn(row: CsvRow, column: string): number {
  const cell = row.get(column)?.trim() ?? '';
  return cell === '' ? Number.NaN : Number(cell);
}
