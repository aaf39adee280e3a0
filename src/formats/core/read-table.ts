import type { JsonValue } from '../../platform/core/text/json.ts';
import { type Cell, cellNumber, showCell } from './cell.ts';
import type { AddValue, ReadingBuilder } from './reading-builder.ts';
import { planTable, type Selection, type Table, type TablePlan } from './result-table.ts';
import type { SampleSet } from './sample.ts';

/** Adds every number of a table: a column is a metric, the named columns say of which benchmark. */
export function readTable(table: Table, selection: Selection, reading: ReadingBuilder): void {
  const plan = planTable(table, selection);
  if (plan.values.length === 0) return;
  const areGapsCounted = table.isAllText || selection.values !== undefined;
  const groups = new Map<string, readonly AddValue[]>();
  const keyOf = groupKey(plan);
  // One for all cells, and not one for each: a file has millions, and hardly any needs its sentence.
  const place = { row: 0, column: 0 };
  const target = { reading, where: () => `${table.where(place.row)}: "${table.columns[place.column]}"` };
  for (const [index, row] of table.rows.entries()) {
    const key = keyOf(row);
    let adders = groups.get(key);
    if (!adders) {
      adders = openGroup(table, row, { plan, selection, reading });
      groups.set(key, adders);
    }
    place.row = index;
    for (const [position, add] of adders.entries()) {
      const column = plan.values[position] ?? 0;
      const cell = row[column];
      if (cell === undefined && !areGapsCounted) continue;
      place.column = column;
      addCell(cell, add, target);
    }
  }
}

interface Target {
  readonly where: () => string;
  readonly reading: ReadingBuilder;
}

/** Adds one cell, or each item of a list. Cells that are not numbers are counted, with their place. */
export function addCell(cell: Cell | JsonValue, add: AddValue, { where, reading }: Target): void {
  if (Array.isArray(cell)) {
    addList(cell, add, { where, reading });
    return;
  }
  const number = cellNumber(cell);
  if (typeof number === 'number') add(number, where);
  else if (number === 'gap') reading.skipped.push(`${where()} is ${showCell(cell)}`);
  else reading.failed.push(`${where()} is ${showCell(cell)}, not a number`);
}

function addList(list: readonly JsonValue[], add: AddValue, { where, reading }: Target): void {
  let at = 0;
  const target = { reading, where: () => `${where()}[${at}]` };
  for (; at < list.length; at++) {
    const item = list[at];
    if (Array.isArray(item)) reading.failed.push(`${target.where()} is a list in a list, not a number`);
    else addCell(item, add, target);
  }
}

interface Opening {
  readonly plan: TablePlan;
  readonly selection: Selection;
  readonly reading: ReadingBuilder;
}

function openGroup(table: Table, row: readonly Cell[], { plan, selection, reading }: Opening) {
  const benchmark = [...table.at, ...plan.names.flatMap((column) => nameOf(row[column]))];
  const settings = settingsOf(table, row, plan);
  const unit = plan.unit === undefined ? (selection.unit ?? '') : (nameOf(row[plan.unit])[0] ?? '');
  // A table of any tool says no direction; that of its units is inferred, and shown as such.
  const better = selection.better ?? 'unknown';
  return plan.values.map((column) => {
    const isOther = plan.unitOf !== undefined && column !== plan.unitOf;
    const metric = table.columns[column] ?? '';
    return reading.set({ benchmark, settings, metric, unit: isOther ? '' : unit, better });
  });
}

/** What the rows of one group have in common, as text. */
function groupKey({ names, settings, unit }: TablePlan): (row: readonly Cell[]) => string {
  const columns = [...names, ...settings, ...(unit === undefined ? [] : [unit])];
  const [only] = columns;
  if (only === undefined) return () => '';
  if (columns.length === 1) return (row) => nameOf(row[only])[0] ?? '';
  return (row) => JSON.stringify(columns.map((column) => nameOf(row[column])));
}

/** A missing name leaves its place out of the path. */
function nameOf(cell: Cell): readonly string[] {
  const text =
    cell === null || cell === undefined ? '' : Array.isArray(cell) ? showCell(cell) : String(cell).trim();
  return text === '' ? [] : [text];
}

function settingsOf(table: Table, row: readonly Cell[], plan: TablePlan): SampleSet['settings'] {
  const entries = plan.settings.flatMap((column) =>
    nameOf(row[column]).map((text) => [table.columns[column] ?? '', text.toLowerCase() === 'true'] as const),
  );
  return Object.fromEntries(entries);
}
