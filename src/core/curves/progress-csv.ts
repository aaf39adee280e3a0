import { cellNumber } from '../results/cell.ts';
import { parseCsv } from '../text/csv.ts';

/**
 * The numbers of a progress.csv by the names of their columns, whose order is another in every run. A last line without
 * its end is still being written and left out. Undefined where it is no table.
 */
export function progressColumns(text: string): ReadonlyMap<string, Float64Array> | undefined {
  const whole = /[\r\n]$/.test(text) ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n') + 1));
  const [header, ...rows] = parseCsv(whole) ?? [];
  if (header === undefined || rows.length === 0) return undefined;
  const columns = new Map<string, Float64Array>();
  for (const [place, name] of header.entries()) {
    const values = Float64Array.from(rows, (row) => numberIn(row[place]));
    if (name !== '' && !values.every(Number.isNaN)) columns.set(name, values);
  }
  return columns.size > 1 ? columns : undefined;
}

/** What is empty, nan, infinite or text is a gap; True and False are 1 and 0, as Python counts them. */
function numberIn(cell: string | undefined): number {
  if (cell === 'True') return 1;
  if (cell === 'False') return 0;
  const value = cellNumber(cell);
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}
