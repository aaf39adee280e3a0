import type { Axis } from '../../../charts/core/chart.ts';
import type { Cells } from '../plots/cells.ts';
import type { KpiColumn, SettingColumn } from './entry-table.ts';
import { valueLabel } from './explorer-view.ts';
import { valuesByRow } from './suggest-view.ts';

/** A setting as an axis, with the values that are shown on it. */
export interface AxisValues {
  readonly setting: SettingColumn;
  /** Indexes in its values, sorted. */
  readonly indexes: readonly number[];
}

interface CellAxes {
  readonly x: AxisValues | undefined;
  readonly colour: AxisValues | undefined;
  /** Bars and boxes use categories even where the setting is a number. */
  readonly isCategory: boolean;
}

/** The tests of a chart by the values of its axes. All charts of a figure have all values, and so the same colours. */
export function tableCells(kpi: KpiColumn, rows: readonly number[], axes: CellAxes): Cells {
  const { x, colour, isCategory } = axes;
  const [columns, series] = [x?.indexes ?? [0], colour?.indexes ?? [0]];
  const [columnOf, seriesOf] = [indexIn(columns), indexIn(series)];
  const tests = series.map(() => columns.map((): (readonly number[])[] => []));
  const valueAt = valuesByRow(kpi);
  for (const row of rows) {
    const cell = tests[seriesOf(colour?.setting.codes[row] ?? 0)]?.[columnOf(x?.setting.codes[row] ?? 0)];
    const values = numbersOf(valueAt(row));
    if (values.length > 0) cell?.push(values);
  }
  return {
    ...xAxis(x, isCategory),
    series: series.map((index, at) => ({
      name: colour ? `${colour.setting.name}=${valueLabel(colour.setting, index)}` : '',
      tests: tests[at] ?? [],
    })),
  };
}

/** The numbers of a value. */
export function numbersOf(value: number | readonly number[] | null | undefined): readonly number[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'number' ? [value] : value;
}

/** How many of the tests have no value of the KPI. */
export function countWithoutValue(kpi: KpiColumn, rows: readonly number[]): number {
  const valueAt = valuesByRow(kpi);
  return rows.filter((row) => numbersOf(valueAt(row)).length === 0).length;
}

/** Each value of a setting with its tests, in order. */
export function splitRows(
  { setting, indexes }: AxisValues,
  rows: readonly number[],
): readonly { readonly name: string; readonly rows: readonly number[] }[] {
  const groups = new Map(indexes.map((index) => [index, [] as number[]]));
  for (const row of rows) groups.get(setting.codes[row] ?? 0)?.push(row);
  return indexes.map((index) => ({
    name: `${setting.name}=${valueLabel(setting, index)}`,
    rows: groups.get(index) ?? [],
  }));
}

/** "users=16, model=m1"; each name and value is cut to so many characters. */
export function pointName(settings: readonly SettingColumn[], row: number, length = 200): string {
  return settings
    .map(
      (setting) =>
        `${shortened(setting.name, length)}=${shortened(valueLabel(setting, setting.codes[row] ?? 0), length)}`,
    )
    .join(', ');
}

/** The help text of a KPI, or its name where it has none. */
export function kpiTitle({ name, help }: Pick<KpiColumn, 'name' | 'help'>): string {
  return help === '' ? name : help;
}

function xAxis(x: AxisValues | undefined, isCategory: boolean): Pick<Cells, 'x' | 'positions'> {
  if (x === undefined)
    return { x: { label: '', scale: 'category', categories: ['all tests'] }, positions: [0] };
  const { setting, indexes } = x;
  const values = indexes.map((index) => setting.values[index] ?? null);
  const label = setting.name;
  if (!isCategory && values.every((value) => typeof value === 'number'))
    return { x: { label }, positions: values };
  const axis: Axis = {
    label,
    scale: 'category',
    categories: indexes.map((index) => valueLabel(setting, index)),
  };
  return { x: axis, positions: indexes.map((_, at) => at) };
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function indexIn(indexes: readonly number[]): (index: number) => number {
  const positions = new Map(indexes.map((index, at) => [index, at]));
  return (index) => positions.get(index) ?? -1;
}
