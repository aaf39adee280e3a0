import type { KpiNumber } from '../../../formats/core/kpi/kpi.ts';
import { isRollingKey } from '../../../formats/core/kpi/matrix-entry.ts';
import type { EntryTable, KpiColumn, SettingColumn } from './entry-table.ts';
import type { ChartKind, RequestedView, Spread } from './explorer-view.ts';

/** A complete view. */
export interface ExplorerView {
  readonly kpi: KpiColumn;
  readonly against: KpiColumn;
  readonly chart: ChartKind;
  readonly axes: readonly SettingColumn[];
  /** Settings that vary among the selected tests and are not an axis. */
  readonly averaged: readonly SettingColumn[];
  readonly chosen: RequestedView['chosen'];
  readonly xScale: 'linear' | 'log';
  readonly yScale: 'linear' | 'log';
  readonly spread: Spread;
  readonly hasFailed: boolean;
  readonly selection: Selection;
}

/** The roles of the axes of a chart, in order; values are averaged over further settings. */
export function axisRoles(chart: ChartKind): readonly string[] {
  if (chart === 'scatter') return ['colour', 'columns', 'rows'];
  if (chart === 'table') return ['down', 'across', 'across', 'down'];
  return [
    chart === 'heatmap' ? 'across' : 'x axis',
    chart === 'heatmap' ? 'down' : 'colour',
    'columns',
    'rows',
  ];
}

/** A setting with more values is not readable as this axis; it is used only on request. */
const MAX_AXIS_VALUES = { x: 60, colour: 8, panel: 4 };

/** Chooses everything that was not requested. Undefined: there is no KPI. */
export function suggestView(table: EntryTable, requested: RequestedView): ExplorerView | undefined {
  const kpi = requested.kpi ?? firstKpi(table);
  if (kpi === undefined) return undefined;
  const selection = selectEntries(table, kpi, requested);
  const varying = table.settings.filter((setting) => valueIndexes(setting, selection.rows).length > 1);
  // Suggested from all values, so that a filter does not change the axes; a setting that it fixes is no longer an axis.
  const suggested = suggestAxes(table.settings, [...rowsOf(kpi, table)]);
  const wanted = requested.axes ?? suggested.filter((setting) => varying.includes(setting));
  const chart = requested.chart ?? suggestChart(wanted[0], selection);
  const axes = wanted.slice(0, axisRoles(chart).length);
  return {
    ...requested,
    kpi,
    against: requested.against ?? otherKpi(table, kpi),
    chart,
    axes,
    averaged: varying.filter((setting) => !axes.includes(setting)),
    selection,
  };
}

/** A KPI with a direction comes first, then the one with most values. */
function firstKpi({ kpis }: EntryTable): KpiColumn | undefined {
  const rank = (kpi: KpiColumn) =>
    Number(kpi.better !== 'unknown') * 2 + Number(kpi.values.some((value) => typeof value === 'number'));
  return [...kpis].sort((a, b) => rank(b) - rank(a) || b.values.length - a.values.length)[0];
}

function otherKpi({ kpis }: EntryTable, kpi: KpiColumn): KpiColumn {
  const isAlike = (one: KpiColumn) =>
    one !== kpi && (one.rows === kpi.rows || one.values.length === kpi.values.length);
  return kpis.find(isAlike) ?? kpis.find((one) => one !== kpi) ?? kpi;
}

/** x: a number with three values or more, else the setting with most values; then colour, where few values allow it; then panels. */
function suggestAxes(settings: readonly SettingColumn[], rows: readonly number[]): readonly SettingColumn[] {
  const sized = settings
    .filter(({ name }) => !isRollingKey(name))
    .map((setting) => ({ setting, size: valueIndexes(setting, rows).length }))
    .filter(({ size }) => size > 1)
    .filter(
      ({ setting, size }) => isNumeric(setting) || (size <= MAX_AXIS_VALUES.x && !isIdentifier(size, rows)),
    )
    .sort((a, b) => b.size - a.size);
  const x = sized.find(({ setting, size }) => isNumeric(setting) && size > 2) ?? sized[0];
  if (x === undefined) return [];
  const rest = sized.filter((one) => one !== x);
  const colour = rest.find(({ size }) => size <= MAX_AXIS_VALUES.colour);
  const panels = rest.filter((one) => one !== colour && one.size <= MAX_AXIS_VALUES.panel).slice(0, 2);
  const chosen = [x, ...(colour ? [colour] : []), ...(colour ? panels : [])];
  return chosen.map(({ setting }) => setting);
}

function suggestChart(x: SettingColumn | undefined, { rows }: Selection): ChartKind {
  if (x === undefined) return 'bars';
  const size = valueIndexes(x, rows).length;
  return (isNumeric(x) && size > 2) || size > 30 ? 'lines' : 'bars';
}

function isNumeric({ values }: SettingColumn): boolean {
  return values.every((value) => typeof value === 'number' || value === null) && values[0] !== null;
}

/** A text that differs in every test identifies it; there is nothing to compare along it. */
function isIdentifier(size: number, rows: readonly number[]): boolean {
  return rows.length > 8 && size === rows.length;
}

/** The tests of a view, and how many are hidden, by reason. */
export interface Selection {
  /** Rows of the table. */
  readonly rows: readonly number[];
  /** Failed tests that match the filters; in `rows` only on request. */
  readonly failed: readonly number[];
  /** Hidden by a filter. */
  readonly unchosen: number;
  /** Tests without this KPI. */
  readonly others: number;
}

function selectEntries(
  table: EntryTable,
  kpi: KpiColumn,
  { chosen, hasFailed }: Pick<RequestedView, 'chosen' | 'hasFailed'>,
): Selection {
  const rows: number[] = [];
  const failed: number[] = [];
  let unchosen = 0;
  const filters = [...chosen];
  for (const row of rowsOf(kpi, table)) {
    if (!filters.every(([{ codes }, wanted]) => wanted.has(codes[row] ?? -1))) unchosen++;
    else if (isFailed(table, row)) failed.push(row);
    else rows.push(row);
  }
  const withKpi = kpi.rows?.length ?? table.ids.length;
  return {
    rows: hasFailed ? [...rows, ...failed].sort((a, b) => a - b) : rows,
    failed,
    unchosen,
    others: table.ids.length - withKpi,
  };
}

export function isFailed({ exitCodes }: EntryTable, row: number): boolean {
  return (exitCodes[row] ?? 0) !== 0;
}

export function* rowsOf(kpi: KpiColumn, { ids }: EntryTable): Generator<number> {
  if (kpi.rows !== null) yield* kpi.rows;
  else for (let row = 0; row < ids.length; row++) yield row;
}

/** The value of each row; undefined where the test has no such KPI. */
export function valuesByRow(kpi: KpiColumn): (row: number) => KpiNumber | undefined {
  if (kpi.rows === null) return (row) => kpi.values[row];
  const positions = new Map(kpi.rows.map((row, position) => [row, position]));
  return (row) => kpi.values[positions.get(row) ?? -1];
}

/** Indexes of the values of a setting that these tests have, sorted. */
export function valueIndexes({ codes }: SettingColumn, rows: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  for (const row of rows) seen.add(codes[row] ?? 0);
  return [...seen].sort((a, b) => a - b);
}
