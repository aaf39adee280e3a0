import { NightmarkError } from '../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import { type Cell, type CellKind, cellKind } from './cell.ts';
import type { ResultMapping } from './format.ts';
import { listOfIndexMap, MAX_DEPTH, tooDeep } from './parse-json.ts';

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

/** The mapped columns; otherwise numbers are values, text names the benchmark, booleans are settings. */
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

/** The unit may be the name of a column that holds it; a text column called "unit" is used by default. */
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

interface TableBuilder {
  /** Adds an object as a row; `where` names it in sentences. Returns how many rows there are. */
  add(object: JsonObject, where: string): number;
  finish(at: readonly string[]): Table;
}

/**
 * Makes a table of objects that need not have the same keys. Nested objects become dotted columns; what a row
 * cannot hold is reported to `fail`.
 */
export function createTable(fail: (sentence: string) => void): TableBuilder {
  const columns = new Map<string, number>();
  const rows: Cell[][] = [];
  const places: string[] = [];
  return {
    add(object, where) {
      const row: Cell[] = [];
      flatten(object, '', 0, (column, value) => {
        const index = columns.get(column) ?? columns.size;
        columns.set(column, index);
        if (row[index] !== undefined)
          return fail(`${where}: "${column}" is there twice, the second is not read`);
        if (Array.isArray(value) && value.some(isJsonObject)) {
          return fail(`${where}: "${column}" is a list of objects inside a row, which is not read`);
        }
        row[index] = value as Cell;
      });
      rows.push(row);
      return places.push(where);
    },
    finish: (at) => ({
      at,
      columns: [...columns.keys()],
      rows,
      isAllText: false,
      where: (row) => places[row] ?? '',
    }),
  };
}

function flatten(
  object: JsonObject,
  prefix: string,
  depth: number,
  add: (column: string, value: JsonValue) => void,
) {
  if (depth > MAX_DEPTH) throw tooDeep();
  for (const [key, value] of Object.entries(object)) {
    const cell = isJsonObject(value) ? (listOfIndexMap(value) ?? value) : value;
    if (isJsonObject(cell)) flatten(cell, `${prefix}${key}.`, depth + 1, add);
    else add(`${prefix}${key}`, cell);
  }
}

/** A mapping in use: what the user selects, and what of it was found. */
export interface Selection {
  /** Absent: guess. */
  readonly values: readonly string[] | undefined;
  readonly names: readonly string[] | undefined;
  readonly unit: string | undefined;
  readonly better: 'lower' | 'higher' | undefined;
  /** Notes that a column or path exists, for the error about one that does not. */
  offer(column: string): void;
  /** Notes that a wanted column was used. */
  use(wanted: string): void;
  /** Throws when a selected column or key was not found. */
  requireAllUsed(): void;
}

export function createSelection({ value, name, unit, better }: ResultMapping): Selection {
  const values = value === undefined ? undefined : [...new Set([value].flat())];
  const names = name === undefined ? undefined : [...new Set([name].flat())];
  const offered = new Set<string>();
  const used = new Set<string>();
  return {
    values,
    names,
    unit,
    better,
    offer: (column) => void offered.add(column),
    use: (wanted) => void used.add(wanted),
    requireAllUsed() {
      for (const wanted of [...(values ?? []), ...(names ?? [])]) {
        if (!used.has(wanted)) throw noColumn(wanted, [...offered]);
      }
    },
  };
}

const SHOWN = 12;

function noColumn(wanted: string, offered: readonly string[]): NightmarkError {
  const nearest = nearestFirst(wanted, offered);
  const rest = nearest.length > SHOWN ? ` and ${nearest.length - SHOWN} more` : '';
  const list = nearest.slice(0, SHOWN).map((column) => JSON.stringify(column));
  return new NightmarkError('IMPORT_NO_COLUMN', `There is no column or key "${wanted}".`, {
    hint: list.length === 0 ? 'There are none at all.' : `There are: ${list.join(', ')}${rest}.`,
  });
}
