import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { Cell } from './cell.ts';
import { listOfIndexMap } from './index-map.ts';
import { MAX_DEPTH, tooDeep } from './parse-json.ts';
import type { Table } from './table.ts';

interface TableBuilder {
  /** Adds an object as a row; `where` names it in sentences. Returns how many rows there are. */
  add(object: JsonObject, where: string): number;
  finish(at: readonly string[]): Table;
}

/**
 * Makes a table of objects that need not have the same keys. Nested objects become dotted columns; what a row
 * cannot hold is told to `fail`.
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
