import { csvCell } from '../../../platform/core/text/csv.ts';
import type { EntryTable } from './entry-table.ts';
import { columnName, type Pivot } from './pivot.ts';
import { valuesByRow } from './suggest-view.ts';

/** One line for each test: settings and KPIs. A missing value is an empty cell, a list is JSON. */
export function entriesCsv(table: EntryTable, rows: readonly number[]): string {
  const { settings, kpis } = table;
  const readers = kpis.map(valuesByRow);
  const names = new Set(settings.map(({ name }) => name));
  const head = [
    ...['test', 'time', 'exit_code'],
    ...names,
    ...kpis.map(({ name, unit }) => {
      const own = names.has(name) ? `kpi.${name}` : name;
      return unit === '' ? own : `${own} [${unit}]`;
    }),
  ];
  const lines = rows.map((row) => [
    table.ids[row] ?? '',
    timeText(table.times[row] ?? null),
    String(table.exitCodes[row] ?? ''),
    ...settings.map(({ values, codes }) => String(values[codes[row] ?? 0] ?? '')),
    ...readers.map((valueAt) => {
      const value = valueAt(row) ?? null;
      return value === null ? '' : typeof value === 'number' ? String(value) : JSON.stringify(value);
    }),
  ]);
  return csvText([head, ...lines]);
}

/** Means with their counts: for each column of the pivot its mean, deviation, tests and failures. */
export function pivotCsv(pivot: Pivot): string {
  const { down, columns, rows } = pivot;
  const columnsOfCell = ['mean', 'deviation', 'tests', 'failed'];
  const head = [
    ...down.map(({ name }) => name),
    ...columns.flatMap((column) => columnsOfCell.map((name) => `${columnName(pivot, column)}: ${name}`)),
  ];
  const lines = rows.map(({ texts, cells }) => [
    ...texts,
    ...cells.flatMap(({ mean, deviation, tests, failed, count }) =>
      count === 0
        ? ['', '', String(tests), String(failed)]
        : [String(mean), count > 2 ? String(deviation) : '', String(tests), String(failed)],
    ),
  ]);
  return csvText([head, ...lines]);
}

function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

function timeText(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString();
}
