import type { PointReader } from '../../metrics/core/points/point-reader.ts';
import type { ColumnValues } from '../../metrics/core/points/points.ts';
import { isSecretKey } from '../../platform/core/secrets.ts';
import { flatKeys } from '../core/dotted-keys.ts';
import type { Job } from '../core/job.ts';
import type { JobSeriesDocument, SeriesCell, SeriesColumns, SeriesJob } from '../core/job-documents.ts';
import { Budget } from './job-requests.ts';
import { type JobSeries, SeriesFinder } from './job-series.ts';

/** Longer series are downsampled to the extremes of each segment: no screen is this wide. */
const MOST_POINTS = 20_000;

interface ColumnOptions {
  readonly measurement?: string;
  readonly isCut: boolean;
}

/** Numbers of all metrics of some jobs, as columns, in one answer. */
export async function jobColumns(
  jobs: readonly Job[],
  { isCut, measurement }: ColumnOptions,
  reader: PointReader | undefined,
): Promise<JobSeriesDocument> {
  const [finder, budget] = [new SeriesFinder(reader), new Budget()];
  const series: SeriesColumns[] = [];
  for (const [place, job] of jobs.entries()) {
    for (const one of reader ? finder.seriesOf(job) : []) {
      if (one.columns.length === 0 || (measurement !== undefined && one.measurement !== measurement))
        continue;
      const columns = await columnsOf(one, reader, budget);
      if (columns) series.push({ job: place, measurement: one.measurement, tags: one.tags, ...columns });
    }
  }
  return { jobs: jobs.map(seriesJob), isCut, series };
}

function seriesJob(job: Job): SeriesJob {
  const { id, name, experiment, project, user, startedAt, config, annotations } = job;
  const description = annotations['description'];
  const scalars = [...flatKeys(config)].flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? []
      : isSecretKey(lastPart(key))
        ? []
        : [[key, value] as const],
  );
  return {
    ...{ id, name, experiment, project, user, config: Object.fromEntries(scalars) },
    ...(typeof description === 'string' && { description }),
    ...(startedAt !== undefined && { startedAt }),
  };
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

type Columns = Pick<SeriesColumns, 'times' | 'fields' | 'leftOut'>;

/** Undefined: it has no numbers. */
async function columnsOf(
  { columns }: JobSeries,
  reader: PointReader | undefined,
  budget: Budget,
): Promise<Columns | undefined> {
  const read = new Map<string, ColumnValues[]>();
  for (const { number, field } of columns) {
    const values = await reader?.read(number, {});
    if (values?.numbers === undefined) continue;
    budget.take('values', values.numbers.length);
    read.set(field, [...(read.get(field) ?? []), values]);
  }
  const times = sortedTimes([...read.values()].flat());
  if (times.length === 0) return undefined;
  const place = new Map(times.map((time, at) => [time, at]));
  const fields = [...read].map(([field, parts]) => [field, cellsOf(parts, place)] as const);
  return downsample(times, fields);
}

/** Several machines may write one metric: their times are merged. */
function sortedTimes(parts: readonly ColumnValues[]): readonly number[] {
  const all = new Set<number>();
  for (const { timestamps } of parts)
    for (let at = 0; at < timestamps.ms.length; at++) all.add(exactMs(timestamps, at));
  return [...all].sort((a, b) => a - b);
}

/** Fractions of milliseconds keep points of one millisecond apart. */
function exactMs({ ms, ns }: ColumnValues['timestamps'], at: number): number {
  return (ms[at] ?? 0) + (ns[at] ?? 0) / 1e6;
}

function cellsOf(parts: readonly ColumnValues[], place: ReadonlyMap<number, number>): readonly SeriesCell[] {
  const cells = new Array<SeriesCell>(place.size).fill(null);
  for (const { timestamps, numbers } of parts) {
    for (const [at, value] of (numbers ?? []).entries())
      cells[place.get(exactMs(timestamps, at)) ?? 0] = cellOf(value);
  }
  return cells;
}

function cellOf(value: number): SeriesCell {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

function downsample(
  times: readonly number[],
  fields: readonly (readonly [string, readonly SeriesCell[]])[],
): Columns {
  if (times.length <= MOST_POINTS) return { times, fields: Object.fromEntries(fields) };
  const kept = extremeIndexes(
    times.length,
    fields.find(([name]) => name === 'value')?.[1] ?? fields[0]?.[1] ?? [],
  );
  return {
    times: kept.map((at) => times[at] ?? 0),
    fields: Object.fromEntries(fields.map(([name, cells]) => [name, kept.map((at) => cells[at] ?? null)])),
    leftOut: times.length - kept.length,
  };
}

/** The minimum, the maximum and the last non-finite value of each segment. */
function extremeIndexes(count: number, cells: readonly SeriesCell[]): readonly number[] {
  const step = Math.ceil((2 * count) / MOST_POINTS);
  const kept: number[] = [];
  for (let from = 0; from < count; from += step) {
    let [lowest, highest, odd] = [-1, -1, -1];
    for (let at = from; at < Math.min(count, from + step); at++) {
      const value = cells[at];
      if (typeof value === 'string') odd = at;
      if (typeof value !== 'number') continue;
      if (lowest < 0 || value < (cells[lowest] as number)) lowest = at;
      if (highest < 0 || value > (cells[highest] as number)) highest = at;
    }
    kept.push(...[...new Set([lowest, highest, odd])].filter((at) => at >= 0).sort((a, b) => a - b));
  }
  return kept;
}
