import { type Cell, type CellKind, cellKind } from './cell.ts';
import type { Selection } from './selection.ts';

/** Rows under named columns: a CSV file, the lines of an NDJSON file, a list of objects in a JSON file. */
export interface Table {
  /** Where in the file the table is; its names come first in the path of each benchmark. */
  readonly at: readonly string[];
  readonly columns: readonly string[];
  /** A row may be shorter than the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** True for CSV: numbers are text too, and a missing cell is a gap. */
  readonly isAllText: boolean;
  /** Names a row in a sentence: "row 3". */
  where(row: number): string;
}

/** Which columns are what. */
export interface TablePlan {
  readonly values: readonly number[];
  readonly names: readonly number[];
  readonly settings: readonly number[];
  readonly unit: number | undefined;
  /** The only value the unit is of; absent: all. */
  readonly unitOf: number | undefined;
}

/** What was asked for, else: numbers are values, text names the benchmark, booleans are settings. */
export function planTable(table: Table, selection: Selection): TablePlan {
  for (const column of table.columns) selection.offer([...table.at, column].join('.'));
  const kinds = table.columns.map((_, column) => columnKind(table, column));
  const unit = unitColumn(table, selection, kinds);
  const wantedValues = selection.values && find(table, selection, selection.values);
  const wantedNames = selection.names && find(table, selection, selection.names);
  const isFree = (column: number) =>
    column !== unit && !wantedValues?.includes(column) && !wantedNames?.includes(column);
  const guess = (...wanted: readonly CellKind[]) =>
    [...kinds.keys()].filter((column) => wanted.includes(kinds[column] ?? 'gap') && isFree(column));
  // {"name": "sort", "value": 12, "unit": "ms", "runs": 3}: the runs are not in milliseconds.
  const unitOf = selection.unit === undefined ? table.columns.indexOf('value') : -1;
  return {
    values: wantedValues ?? guess('number', 'gap'),
    names: wantedNames ?? guess('text'),
    settings: wantedNames ? [] : guess('boolean'),
    unit,
    unitOf: unitOf < 0 ? undefined : unitOf,
  };
}

/** One odd cell must not turn a column of numbers into names: the majority decides, gaps do not vote. */
function columnKind({ rows, isAllText }: Table, column: number): CellKind {
  const votes: Record<CellKind, number> = { number: 0, gap: 0, boolean: 0, text: 0, list: 0 };
  for (const row of rows) votes[cellKind(row[column], isAllText)]++;
  const { number, boolean, text, list } = votes;
  if (number > 0 && number >= boolean + text + list) return 'number';
  if (text > 0) return 'text';
  if (boolean > 0) return 'boolean';
  return list > 0 ? 'list' : 'gap';
}

/** The unit may be the name of a column that holds it; a text column called "unit" is that without asking. */
function unitColumn(table: Table, { unit }: Selection, kinds: readonly CellKind[]): number | undefined {
  const index = table.columns.findIndex(
    (column, at) => kinds[at] === 'text' && (unit === undefined ? /^units?$/i.test(column) : column === unit),
  );
  return index < 0 ? undefined : index;
}

function find({ at, columns }: Table, selection: Selection, wanted: readonly string[]): readonly number[] {
  return wanted.flatMap((name) => {
    const index = columns.findIndex((column) => column === name || [...at, column].join('.') === name);
    if (index < 0) return [];
    selection.use(name);
    return [index];
  });
}
