import { isRollingKey } from '../../../formats/core/kpi/matrix-entry.ts';
import type { EntryTable, KpiColumn, SettingColumn } from './entry-table.ts';
import type { AskedView, ChartKind, Spread } from './explorer-view.ts';
import { placesOf, rowsOf, type Selection, selectEntries } from './select-entries.ts';

/** A view with nothing left open. */
export interface ExplorerView {
  readonly kpi: KpiColumn;
  readonly against: KpiColumn;
  readonly chart: ChartKind;
  readonly axes: readonly SettingColumn[];
  /** Settings that vary among the selected tests, and are no axis. */
  readonly averaged: readonly SettingColumn[];
  readonly chosen: AskedView['chosen'];
  readonly xScale: 'linear' | 'log';
  readonly yScale: 'linear' | 'log';
  readonly spread: Spread;
  readonly hasFailed: boolean;
  readonly selection: Selection;
}

/** What the settings of a chart are used for, in their order; those that come after are averaged over. */
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

/** More places of an axis are not told apart: such a setting is no axis unless it is asked for. */
const MAX_PLACES = { x: 60, colour: 8, panel: 4 };

/** The first sensible choice of everything that was not asked for. Undefined: there is no KPI. */
export function suggestView(table: EntryTable, asked: AskedView): ExplorerView | undefined {
  const kpi = asked.kpi ?? firstKpi(table);
  if (kpi === undefined) return undefined;
  const selection = selectEntries(table, kpi, asked);
  const varying = table.settings.filter((setting) => placesOf(setting, selection.rows).length > 1);
  // Of all values, so that a choice among them does not turn the chart round; what it fixes is no axis any more.
  const suggested = suggestAxes(table.settings, [...rowsOf(kpi, table)]);
  const wanted = asked.axes ?? suggested.filter((setting) => varying.includes(setting));
  const chart = asked.chart ?? suggestChart(wanted[0], selection);
  const axes = wanted.slice(0, axisRoles(chart).length);
  return {
    ...asked,
    kpi,
    against: asked.against ?? otherKpi(table, kpi),
    chart,
    axes,
    averaged: varying.filter((setting) => !axes.includes(setting)),
    selection,
  };
}

/** One that says which direction is better comes first, then one with most values. */
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

/** A number of three values or more along x, else whatever has most values; then what still can be told apart by colour; then panels. */
function suggestAxes(settings: readonly SettingColumn[], rows: readonly number[]): readonly SettingColumn[] {
  const sized = settings
    .filter(({ name }) => !isRollingKey(name))
    .map((setting) => ({ setting, size: placesOf(setting, rows).length }))
    .filter(({ size }) => size > 1)
    .filter(({ setting, size }) => isNumeric(setting) || (size <= MAX_PLACES.x && !isName(size, rows)))
    .sort((a, b) => b.size - a.size);
  const x = sized.find(({ setting, size }) => isNumeric(setting) && size > 2) ?? sized[0];
  if (x === undefined) return [];
  const rest = sized.filter((one) => one !== x);
  const colour = rest.find(({ size }) => size <= MAX_PLACES.colour);
  const panels = rest.filter((one) => one !== colour && one.size <= MAX_PLACES.panel).slice(0, 2);
  const chosen = [x, ...(colour ? [colour] : []), ...(colour ? panels : [])];
  return chosen.map(({ setting }) => setting);
}

function suggestChart(x: SettingColumn | undefined, { rows }: Selection): ChartKind {
  if (x === undefined) return 'bars';
  const size = placesOf(x, rows).length;
  return (isNumeric(x) && size > 2) || size > 30 ? 'lines' : 'bars';
}

export function isNumeric({ values }: SettingColumn): boolean {
  return values.every((value) => typeof value === 'number' || value === null) && values[0] !== null;
}

/** A text that is another for every test is its name, and no setting that could be compared. */
function isName(size: number, rows: readonly number[]): boolean {
  return rows.length > 8 && size === rows.length;
}
