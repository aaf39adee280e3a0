import type { PointReader, ReadEnd } from '../../metrics/core/points/point-reader.ts';
import type { StoredColumn } from '../../metrics/core/points/point-storage.ts';
import type { ColumnValues } from '../../metrics/core/points/points.ts';
import type { Budget } from './budget.ts';
import type { JobSeries } from './job-series.ts';

/** One point: `time` in milliseconds since 1970, and its fields. What is no finite number is null. */
export type SeriesRow = Readonly<Record<string, number | string | boolean | null>>;

interface Sources {
  readonly reader: PointReader | undefined;
  readonly budget: Budget;
}

/** Points of a series in the order of time; fields of one moment are one row. */
export async function seriesRows({ columns }: JobSeries, sources: Sources): Promise<readonly SeriesRow[]> {
  return mergedRows(await readColumns(columns, sources));
}

/** The newest point; from what the job told where points are not stored. Empty: there is none. */
export async function newestRow(series: JobSeries, sources: Sources): Promise<SeriesRow> {
  const rows = mergedRows(await readColumns(series.columns, sources, { last: 1 }));
  const newest = rows.at(-1);
  if (newest !== undefined) return newest;
  const fields = Object.entries(series.summary?.fields ?? {});
  return Object.fromEntries(fields.map(([field, { last }]) => [field, jsonValue(last)]));
}

/** The point with the smallest or largest `value`. */
export function extremeRow(
  { summary }: JobSeries,
  rows: readonly SeriesRow[],
  end: 'min' | 'max',
): SeriesRow {
  const sign = end === 'max' ? 1 : -1;
  let best: SeriesRow | undefined;
  let bestValue = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const value = row['value'];
    if (typeof value !== 'number' || sign * value <= bestValue) continue;
    [best, bestValue] = [row, sign * value];
  }
  if (best !== undefined) return best;
  const told = summary && Object.hasOwn(summary.fields, 'value') ? summary.fields['value']?.[end] : undefined;
  return told === undefined ? {} : { value: told };
}

interface NamedValues {
  readonly field: string;
  readonly values: ColumnValues;
}

async function readColumns(
  columns: readonly StoredColumn[],
  { reader, budget }: Sources,
  end?: ReadEnd,
): Promise<readonly NamedValues[]> {
  const read: NamedValues[] = [];
  for (const { number, field } of reader ? columns : []) {
    const values = await reader?.read(number, {}, end);
    if (values === undefined) continue;
    budget.take('values', values.moments.ms.length);
    read.push({ field, values });
  }
  return read;
}

function mergedRows(columns: readonly NamedValues[]): readonly SeriesRow[] {
  const places = columns.map(() => 0);
  const rows: SeriesRow[] = [];
  for (;;) {
    let [ms, ns] = [Number.POSITIVE_INFINITY, 0];
    for (const [i, { values }] of columns.entries()) {
      const at = places[i] as number;
      const [thisMs = Number.POSITIVE_INFINITY, thisNs = 0] = [values.moments.ms[at], values.moments.ns[at]];
      if (thisMs < ms || (thisMs === ms && thisNs < ns)) [ms, ns] = [thisMs, thisNs];
    }
    if (ms === Number.POSITIVE_INFINITY) return rows;
    // Entries, because a field may be called anything, __proto__ too.
    const row: [string, SeriesRow[string]][] = [['time', ms]];
    for (const [i, { field, values }] of columns.entries()) {
      const at = places[i] as number;
      if (values.moments.ms[at] !== ms || values.moments.ns[at] !== ns) continue;
      row.push([field, valueAt(values, at)]);
      places[i] = at + 1;
    }
    rows.push(Object.fromEntries(row));
  }
}

function valueAt({ type, numbers, strings }: ColumnValues, at: number): SeriesRow[string] {
  if (strings !== undefined) return strings[at] ?? null;
  const value = numbers?.[at];
  if (type === 'boolean') return value === 1;
  return value !== undefined && Number.isFinite(value) ? value : null;
}

function jsonValue(value: number | string | boolean): SeriesRow[string] {
  return value === 'nan' || value === 'inf' || value === '-inf' ? null : value;
}
