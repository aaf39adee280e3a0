import { csvCell } from '../../platform/core/text/csv.ts';
import { KNOWN_ARTIFACTS } from './artifacts.ts';
import type { Cells, TableFile, TableForm } from './iteration-table.ts';

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

/** Columns that never need quotes, nor a look whether they do. */
const DIGITS = new Set(['iteration', 'iteration_start_ns', 'iteration_end_ns', 'iteration_time_ns']);
const TEXT_COLUMNS = new Set(['suite', 'benchmark', 'type', 'order', 'pair', 'results', ...KNOWN_ARTIFACTS]);
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
