import type { TableChart } from '../../../charts/core/chart.ts';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { type CellValue, cellValue } from '../plots/cells.ts';
import { directionOf, halfWidth } from '../plots/describe-chart.ts';
import type { SettingColumn } from './entry-table.ts';
import { valueLabel } from './explorer-view.ts';
import { type ExplorerView, valuesByRow } from './suggest-view.ts';
import { kpiTitle, numbersOf, pointName } from './table-cells.ts';

/** The selected tests as a table: the first and the last axis go down, those between across. */
export interface Pivot {
  readonly down: readonly SettingColumn[];
  readonly across: readonly SettingColumn[];
  readonly columns: readonly PivotLine[];
  readonly rows: readonly PivotRow[];
}

interface PivotLine {
  /** Indexes in the values of the settings. */
  readonly point: readonly number[];
  readonly texts: readonly string[];
}

export interface PivotRow extends PivotLine {
  readonly cells: readonly PivotCell[];
}

export interface PivotCell extends CellValue {
  /** Tests of this cell; 0: it was not run. */
  readonly tests: number;
  readonly failed: number;
}

export function pivotOf(view: ExplorerView): Pivot {
  const { axes, selection, kpi } = view;
  const down = axes.filter((_, index) => index === 0 || index === 3);
  const across = axes.filter((_, index) => index === 1 || index === 2);
  const everything = [...new Set([...selection.rows, ...selection.failed])];
  const [rows, columns] = [linesOf(down, everything), linesOf(across, everything)];
  const table = rows.map(() => columns.map((): OpenCell => ({ lists: [], tests: 0, failed: 0 })));
  const [rowOf, columnOf] = [indexOf(rows, down), indexOf(columns, across)];
  const valueAt = valuesByRow(kpi);
  const cellAt = (row: number) => table[rowOf(row)]?.[columnOf(row)];
  for (const row of selection.rows) {
    const cell = cellAt(row);
    if (cell === undefined) continue;
    cell.tests++;
    const values = numbersOf(valueAt(row));
    if (values.length > 0) cell.lists.push(values);
  }
  for (const row of selection.failed) {
    const cell = cellAt(row);
    if (cell) cell.failed++;
  }
  return {
    ...{ down, across, columns },
    rows: rows.map((line, at) => ({
      ...line,
      cells: (table[at] ?? []).map(({ lists, tests, failed }) => ({
        ...cellValue(lists, 'tests'),
        tests,
        failed,
      })),
    })),
  };
}

/** A cell as text: mean and spread, and what is missing or failed. */
export function pivotText(cell: PivotCell, { kpi, spread }: Pick<ExplorerView, 'kpi' | 'spread'>): string {
  const { tests, failed, count, mean } = cell;
  const failures = failed > 0 ? `${failed} failed` : '';
  if (count === 0) return failures || (tests === 0 ? 'not run' : 'no value');
  const half = spread === 'none' || count < 3 ? 0 : halfWidth(cell, spread);
  const text = `${formatNumber(mean, kpi.unit)}${half > 0 ? ` ±${formatNumber(half, kpi.unit)}` : ''}`;
  return failures === '' ? text : `${text}, ${failures}`;
}

/** The pivot as a chart, for downloads as a picture. */
export function pivotTable(view: ExplorerView, pivot: Pivot): TableChart {
  const { down, columns, rows } = pivot;
  const shown = columns.slice(0, MAX_COLUMNS);
  const left = columns.length - shown.length;
  return {
    type: 'table',
    title: kpiTitle(view.kpi),
    ...directionOf({ ...view.kpi, label: '', values: () => [] }),
    columns: [
      ...down.map(({ name }) => ({ name })),
      ...shown.map((column) => ({ name: columnName(pivot, column), align: 'right' as const })),
    ],
    rows: rows.map(({ texts, cells }) => [
      ...texts.map((text) => ({ text })),
      ...cells.slice(0, MAX_COLUMNS).map((cell) => ({ text: pivotText(cell, view) })),
    ]),
    ...(left > 0 && { notes: [`Not shown: ${counted(left, 'more column', 'more columns')}.`] }),
  };
}

/** "model=m1, version=2", or "all tests" where nothing goes across. */
export function columnName({ across }: Pick<Pivot, 'across'>, { texts }: PivotLine): string {
  return texts.map((text, at) => `${across[at]?.name}=${text}`).join(', ') || 'all tests';
}

/** Wider tables are not readable. */
export const MAX_COLUMNS = 60;

interface OpenCell {
  readonly lists: (readonly number[])[];
  tests: number;
  failed: number;
}

/** Different points of the tests, in order. */
function linesOf(settings: readonly SettingColumn[], rows: readonly number[]): readonly PivotLine[] {
  const points = new Map<string, readonly number[]>();
  for (const row of rows) {
    const key = keyOf(settings, row);
    if (!points.has(key))
      points.set(
        key,
        settings.map(({ codes }) => codes[row] ?? 0),
      );
  }
  const sorted = [...points.values()].sort((a, b) =>
    a.reduce((order, index, at) => order || index - (b[at] ?? 0), 0),
  );
  return sorted.map((point) => ({
    point,
    texts: settings.map((setting, at) => valueLabel(setting, point[at] ?? 0)),
  }));
}

function indexOf(lines: readonly PivotLine[], settings: readonly SettingColumn[]): (row: number) => number {
  const indexes = new Map(lines.map(({ point }, at) => [point.join(' '), at]));
  return (row) => indexes.get(keyOf(settings, row)) ?? -1;
}

function keyOf(settings: readonly SettingColumn[], row: number): string {
  return settings.map(({ codes }) => codes[row] ?? 0).join(' ');
}

/** The combination of settings with the best mean. */
export interface BestPoint {
  readonly value: number;
  readonly tests: number;
  /** "users=16, model=m1"; empty when nothing varies. */
  readonly name: string;
  /** Number of combinations. */
  readonly of: number;
}

/** Undefined where the KPI has no direction, or there is no value. */
export function bestPoint(view: ExplorerView): BestPoint | undefined {
  const { kpi, axes, selection } = view;
  if (kpi.better === 'unknown') return undefined;
  const groups = new Map<string, { readonly row: number; readonly lists: (readonly number[])[] }>();
  const valueAt = valuesByRow(kpi);
  for (const row of selection.rows) {
    const key = axes.map(({ codes }) => codes[row]).join(' ');
    const group = groups.get(key) ?? { row, lists: [] };
    groups.set(key, group);
    const values = numbersOf(valueAt(row));
    if (values.length > 0) group.lists.push(values);
  }
  const sign = kpi.better === 'lower' ? 1 : -1;
  const points = [...groups.values()]
    .map(({ row, lists }) => ({ row, cell: cellValue(lists, 'tests') }))
    .filter(({ cell }) => cell.count > 0)
    .sort((a, b) => sign * (a.cell.mean - b.cell.mean));
  const [first] = points;
  if (first === undefined) return undefined;
  const { mean: value, count: tests } = first.cell;
  return { value, tests, name: pointName(axes, first.row, 40), of: points.length };
}
