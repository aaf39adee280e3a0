import { cellNumber } from '../../formats/core/cell.ts';
import { parseCsv } from '../../platform/core/text/csv.ts';
import { usualNames } from './curve-table.ts';

export interface ProgressTable {
  /** All columns of the file. */
  readonly names: readonly string[];
  /** The usual axes of a learning curve, and those that were asked for; all where there are no usual ones. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/**
 * The numbers of a progress.csv by the names of their columns, whose order is another in every run. A last line without
 * its end is still being written and left out. Undefined where it is no table.
 */
export function progressColumns(text: string, asked: readonly string[] = []): ProgressTable | undefined {
  const whole = /[\r\n]$/.test(text) ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n') + 1));
  const [header] = parseCsv(whole.slice(0, whole.search(/[\r\n]/) + 1)) ?? [];
  if (header === undefined) return undefined;
  const { x, y } = usualNames(header);
  const wanted = x !== undefined && y !== undefined ? new Set([x, y, ...asked]) : new Set(header);
  const places = header.flatMap((name, place) => (name !== '' && wanted.has(name) ? [place] : []));
  // Most files are plain: then only the cells that are wanted are cut out, which is many times quicker.
  const rows = whole.includes('"') ? quotedRows(whole, places) : plainRows(whole, places);
  const columns = new Map<string, Float64Array>();
  for (const [index, place] of places.entries()) {
    const values = Float64Array.from(rows, (row) => row[index] ?? Number.NaN);
    if (!values.every(Number.isNaN)) columns.set(header[place] ?? '', values);
  }
  return columns.size > 1 ? { names: header.filter((name) => name !== ''), columns } : undefined;
}

function quotedRows(text: string, places: readonly number[]): readonly (readonly number[])[] {
  return (parseCsv(text) ?? []).slice(1).map((row) => places.map((place) => numberIn(row[place])));
}

function plainRows(text: string, places: readonly number[]): readonly (readonly number[])[] {
  const lines = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
  return lines.slice(1).flatMap((line) => (line === '' ? [] : [cellsAt(line, places)]));
}

/** Numbers at ascending places of a line. */
function cellsAt(line: string, places: readonly number[]): readonly number[] {
  const found: number[] = [];
  let [start, at] = [0, 0];
  for (const place of places) {
    while (at < place && start >= 0) {
      const comma = line.indexOf(',', start);
      start = comma < 0 ? -1 : comma + 1;
      at++;
    }
    if (start < 0) found.push(Number.NaN);
    else {
      const end = line.indexOf(',', start);
      found.push(numberIn(end < 0 ? line.slice(start) : line.slice(start, end)));
    }
  }
  return found;
}

/** What is empty, nan, infinite or text is a gap; True and False are 1 and 0, as Python counts them. */
function numberIn(cell: string | undefined): number {
  if (cell === 'True') return 1;
  if (cell === 'False') return 0;
  const value = cellNumber(cell);
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}
