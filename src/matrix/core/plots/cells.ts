import type { Axis } from '../../../charts/core/chart.ts';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { compareSettingValues, settingText } from '../../../platform/core/text/text-order.ts';
import { mean, momentsOf } from '../../../stats/summary.ts';
import type { Measure } from './measure.ts';

/** The table behind a chart: a row for each series, a column for each x value, in each cell one list for each test. */
export interface Cells {
  readonly x: Axis;
  /** Position of each column on the axis. */
  readonly positions: readonly number[];
  readonly series: readonly {
    readonly name: string;
    readonly tests: readonly (readonly (readonly number[])[])[];
  }[];
}

export interface CellKeys {
  readonly x: readonly string[];
  readonly series: readonly string[];
  /** Bars and boxes use categories even where the setting is a number. */
  readonly isCategory?: boolean;
}

export function groupCells(entries: readonly MatrixEntry[], keys: CellKeys, measure: Measure): Cells {
  const columns = pointsOf(entries, keys.x);
  const rows = pointsOf(entries, keys.series);
  const table = rows.map(() => columns.map((): (readonly number[])[] => []));
  const [column, row] = [indexOf(columns), indexOf(rows)];
  for (const entry of entries) {
    const cell = table[row(pointOf(entry, keys.series))]?.[column(pointOf(entry, keys.x))];
    for (const values of measure.values(entry)) if (values.length > 0) cell?.push(values);
  }
  const numbers = columns.map(([value]) => value);
  const isNumeric =
    keys.isCategory !== true && keys.x.length === 1 && numbers.every((value) => typeof value === 'number');
  const label = keys.x.join(', ');
  return {
    x: isNumeric ? { label } : { label, scale: 'category', categories: columns.map(pointText) },
    positions: isNumeric ? (numbers as number[]) : columns.map((_, index) => index),
    series: rows.map((point, index) => ({ name: pointName(point, keys.series), tests: table[index] ?? [] })),
  };
}

/** The entries of each value of a setting, in natural order. */
export function splitBy(
  entries: readonly MatrixEntry[],
  key: string,
): readonly { readonly name: string; readonly entries: readonly MatrixEntry[] }[] {
  const points = pointsOf(entries, [key]);
  const groups = points.map((point) => ({ name: pointName(point, [key]), entries: [] as MatrixEntry[] }));
  const groupIndex = indexOf(points);
  for (const entry of entries) groups[groupIndex(pointOf(entry, [key]))]?.entries.push(entry);
  return groups;
}

/** Settings that differ between these entries, in the order of `keys`. */
export function varyingKeys(entries: readonly MatrixEntry[], keys: readonly string[]): readonly string[] {
  return keys.filter((key) => pointsOf(entries, [key]).length > 1);
}

type Point = readonly JsonValue[];

function pointOf({ settings }: MatrixEntry, keys: readonly string[]): Point {
  return keys.map((key) => settings[key] ?? null);
}

/** The distinct points of the entries, in natural order. */
function pointsOf(entries: readonly MatrixEntry[], keys: readonly string[]): readonly Point[] {
  const points = new Map(
    entries.map((entry) => [JSON.stringify(pointOf(entry, keys)), pointOf(entry, keys)]),
  );
  return [...points.values()].sort((a, b) => {
    for (const index of keys.keys()) {
      const order = compareSettingValues(a[index] ?? null, b[index] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function indexOf(points: readonly Point[]): (point: Point) => number {
  const indexes = new Map(points.map((point, index) => [JSON.stringify(point), index]));
  return (point) => indexes.get(JSON.stringify(point)) ?? -1;
}

function pointText(point: Point): string {
  return point.map((value) => (value === null ? 'not set' : settingText(value))).join(', ');
}

function pointName(point: Point, keys: readonly string[]): string {
  return point.map((value, index) => `${keys[index]}=${pointText([value])}`).join(', ');
}

/** Mean and spread of a cell. */
export interface CellValue {
  readonly mean: number;
  /** Sample deviation; 0 with two values or fewer, as in the original plots. */
  readonly deviation: number;
  readonly count: number;
}

/** "tests": each test counts once, by its mean; "samples": every measured number counts. */
export type Pooling = 'tests' | 'samples';

export function cellValue(tests: readonly (readonly number[])[], pooling: Pooling): CellValue {
  const values = (pooling === 'tests' ? tests.map((list) => mean(list)) : tests.flat()).filter(
    Number.isFinite,
  );
  if (values.length === 0) return { mean: Number.NaN, deviation: Number.NaN, count: 0 };
  const deviation = values.length > 2 ? momentsOf(values).deviation : 0;
  return { mean: mean(values), deviation, count: values.length };
}
