import type { PointReader, ReadEnd } from '../../metrics/core/points/point-reader.ts';
import type { StoredColumn } from '../../metrics/core/points/point-storage.ts';
import type { ColumnValues } from '../../metrics/core/points/points.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { compilePattern } from '../../platform/core/patterns/pattern.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import type { Job, JobMetric } from '../core/job.ts';
import type { Budget } from './job-requests.ts';

/** One metric of a job: its summary, and the columns with its values. */
export interface JobSeries {
  readonly measurement: string;
  /** Its own: those that every metric of a job has are left out. */
  readonly tags: JsonObject;
  readonly columns: readonly StoredColumn[];
  /** The newest and the extreme values; absent for points that came by another way than the job's events. */
  readonly summary?: JobMetric;
}

/** Put to every metric of a job, by us and by Telegraf. */
const COMMON_TAGS = new Set(['host', 'user', 'job_id', 'project', 'experiment', 'job', 'influxdb_database']);

/** Finds series of many jobs with one pass over the columns. */
export class SeriesFinder {
  readonly #reader: PointReader | undefined;
  #byJob: ReadonlyMap<string, readonly StoredColumn[]> | undefined;

  constructor(reader: PointReader | undefined) {
    this.#reader = reader;
  }

  /** Metrics that the job reported, then others with its id, in any database. */
  seriesOf(job: Pick<Job, 'id' | 'metrics'>): readonly JobSeries[] {
    const groups = new Map<string, StoredColumn[]>();
    for (const column of this.columnsOf(job.id)) {
      const own = column.tags.filter(([key]) => !COMMON_TAGS.has(key));
      const key = keyOf(column.measurement, own);
      const group = groups.get(key);
      if (group) group.push(column);
      else groups.set(key, [column]);
    }
    const reported = job.metrics.map((metric) => withColumns(metric, groups));
    const known = new Set(job.metrics.map(keyOfMetric));
    const others = [...groups]
      .filter(([key]) => !known.has(key))
      .map(([, columns]) => seriesOfColumns(columns));
    return [...reported, ...others.sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))];
  }

  /** Everything that carries the id of a job. */
  columnsOf(id: string): readonly StoredColumn[] {
    this.#byJob ??= this.#columnsByJob();
    return this.#byJob.get(id) ?? [];
  }

  #columnsByJob(): ReadonlyMap<string, readonly StoredColumn[]> {
    const found = new Map<string, StoredColumn[]>();
    const reader = this.#reader;
    for (const database of reader?.databases() ?? []) {
      for (const column of reader?.columns(database) ?? []) {
        const id = column.tags.find(([key]) => key === 'job_id')?.[1];
        if (id === undefined) continue;
        const columns = found.get(id);
        if (columns) columns.push(column);
        else found.set(id, [column]);
      }
    }
    return found;
  }
}

function withColumns(metric: JobMetric, groups: ReadonlyMap<string, readonly StoredColumn[]>): JobSeries {
  const { measurement, tags } = metric;
  // A metric may have a tag with a common name: then it distinguishes columns, too.
  const extra = tagTexts(tags).filter(([key]) => COMMON_TAGS.has(key));
  const columns = (groups.get(keyOfMetric(metric)) ?? []).filter((column) =>
    extra.every(([key, value]) => column.tags.some(([name, text]) => name === key && text === value)),
  );
  return { measurement, tags, columns, summary: metric };
}

function seriesOfColumns(columns: readonly StoredColumn[]): JobSeries {
  const { measurement = '', tags = [] } = columns[0] ?? {};
  return {
    measurement,
    tags: Object.fromEntries(tags.filter(([key]) => !COMMON_TAGS.has(key))),
    columns,
  };
}

function keyOfMetric({ measurement, tags }: JobMetric): string {
  return keyOf(
    measurement,
    tagTexts(tags).filter(([key]) => !COMMON_TAGS.has(key)),
  );
}

function keyOf(measurement: string, tags: readonly (readonly [string, string])[]): string {
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([measurement, sorted]);
}

function orderKey({ measurement, tags }: JobSeries): string {
  return keyOf(measurement, tagTexts(tags));
}

/** As line protocol has them: it drops tags without a value, and writes booleans as Python does. */
function tagTexts(tags: JsonObject): readonly (readonly [string, string])[] {
  return Object.entries(tags)
    .map(([key, value]) => [key, tagText(value)] as const)
    .filter(([key, text]) => key !== '' && text !== '');
}

/** The text of a tag, as filters compare it. */
export function tagText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** One point: `time` in milliseconds since 1970, and its fields. What is not a finite number is null. */
export type SeriesRow = Readonly<Record<string, number | string | boolean | null>>;

interface Sources {
  readonly reader: PointReader | undefined;
  readonly budget: Budget;
}

/** Points of a series in the order of time; fields with the same time are one row. */
export async function seriesRows({ columns }: JobSeries, sources: Sources): Promise<readonly SeriesRow[]> {
  return mergedRows(await readColumns(columns, sources));
}

/** The newest point; from the summary where points are not stored. Empty: there is none. */
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
  const reported =
    summary && Object.hasOwn(summary.fields, 'value') ? summary.fields['value']?.[end] : undefined;
  return reported === undefined ? {} : { value: reported };
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
    budget.take('values', values.timestamps.ms.length);
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
      const [thisMs = Number.POSITIVE_INFINITY, thisNs = 0] = [
        values.timestamps.ms[at],
        values.timestamps.ns[at],
      ];
      if (thisMs < ms || (thisMs === ms && thisNs < ns)) [ms, ns] = [thisMs, thisNs];
    }
    if (ms === Number.POSITIVE_INFINITY) return rows;
    // Entries, because a field may be called anything, __proto__ too.
    const row: [string, SeriesRow[string]][] = [['time', ms]];
    for (const [i, { field, values }] of columns.entries()) {
      const at = places[i] as number;
      if (values.timestamps.ms[at] !== ms || values.timestamps.ns[at] !== ns) continue;
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

export function filteredSeries(
  all: readonly JobSeries[],
  { measurement, tags }: SeriesFilter,
): readonly JobSeries[] {
  const isNamed = measurement ? wholeName(measurement) : () => true;
  const wanted = (tags ?? '')
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('='));
  return all.filter(
    (series) =>
      isNamed(series.measurement) &&
      wanted.every(([key = '', value = '']) => {
        const tag = Object.hasOwn(series.tags, key) ? series.tags[key] : undefined;
        // Booleans in the spelling of JavaScript and of line protocol.
        return tag !== undefined && (String(tag) === value || tagText(tag) === value);
      }),
  );
}

export interface SeriesFilter {
  readonly measurement?: string | null;
  readonly tags?: string | null;
}

function wholeName(text: string): (name: string) => boolean {
  try {
    return compilePattern(`^(?:${text})$`).test;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    throw new NightmarkError(
      'JOBS_ASKED',
      `${JSON.stringify(text)} is not a valid measurement: ${error.message}.`,
      {
        hint: error.hint ?? 'Give the name of a measurement, or a regular expression.',
      },
    );
  }
}
