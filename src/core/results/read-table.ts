import type { SampleSet } from '../model/sample.ts';
import type { JsonValue } from '../text/json.ts';
import { type Cell, cellNumber, showCell } from './cell.ts';
import type { AddValue, ReadingBuilder } from './reading.ts';
import type { Selection } from './selection.ts';
import { planTable, type Table, type TablePlan } from './table.ts';

/** Adds every number of a table: a column is a metric, the named columns say of which benchmark. */
export function readTable(table: Table, selection: Selection, reading: ReadingBuilder): void {
  const plan = planTable(table, selection);
  if (plan.values.length === 0) return;
  const areGapsCounted = table.isAllText || selection.values !== undefined;
  const groups = new Map<string, readonly AddValue[]>();
  for (const [index, row] of table.rows.entries()) {
    const key = groupKey(row, plan);
    let adders = groups.get(key);
    if (!adders) {
      adders = openGroup(table, row, { plan, selection, reading });
      groups.set(key, adders);
    }
    for (const [position, column] of plan.values.entries()) {
      const cell = row[column];
      if (cell === undefined && !areGapsCounted) continue;
      const where = () => `${table.where(index)}: "${table.columns[column]}"`;
      addCell(cell, { add: adders[position], where, reading });
    }
  }
}

interface Target {
  readonly add: AddValue | undefined;
  readonly where: () => string;
  readonly reading: ReadingBuilder;
}

/** Adds one cell, or each item of a list. What is no number is counted, with its place. */
export function addCell(cell: Cell | JsonValue, target: Target): void {
  const { add, where, reading } = target;
  if (Array.isArray(cell)) {
    for (const [index, item] of (cell as readonly JsonValue[]).entries()) {
      const inList = { ...target, where: () => `${where()}[${index}]` };
      if (Array.isArray(item)) reading.failed.push(`${inList.where()} is a list in a list, not a number`);
      else addCell(item, inList);
    }
    return;
  }
  const number = cellNumber(cell);
  if (number.type === 'number') add?.(number.value, where);
  else if (number.type === 'gap') reading.skipped.push(`${where()} is ${showCell(cell)}`);
  else reading.failed.push(`${where()} is ${showCell(cell)}, not a number`);
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
  const better = selection.better === undefined ? {} : { better: selection.better };
  return plan.values.map((column) => {
    const isOther = plan.unitOf !== undefined && column !== plan.unitOf;
    const metric = table.columns[column] ?? '';
    return reading.set({ benchmark, settings, metric, unit: isOther ? '' : unit, ...better });
  });
}

function groupKey(row: readonly Cell[], { names, settings, unit }: TablePlan): string {
  if (names.length === 0 && settings.length === 0 && unit === undefined) return '';
  const columns = unit === undefined ? [...names, ...settings] : [...names, ...settings, unit];
  return JSON.stringify(columns.map((column) => nameOf(row[column])));
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
