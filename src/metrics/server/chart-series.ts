import type { PointEngine } from '../app/point-engine.ts';
import type { WireHeader, WireSeries, WireSeriesName } from '../core/points/columns-wire.ts';
import type { PointReader } from '../core/points/point-reader.ts';
import type { StoredColumn } from '../core/points/point-storage.ts';
import type { RequestedRange } from './point-parameters.ts';

export interface RequestedSeries {
  readonly columns: readonly StoredColumn[];
  readonly range: RequestedRange;
  readonly buckets: number;
  /** Further series that match. */
  readonly leftOut: number;
}

/** The header, and the series one by one. */
export interface SeriesAnswer {
  readonly header: WireHeader;
  readonly series: AsyncIterable<WireSeries>;
}

interface SeriesService {
  readonly reader: Pick<PointReader, 'read'>;
  readonly stored: Pick<PointEngine, 'buckets'>;
}

/** Minimum and maximum of each bucket. */
export function bucketAnswer(requested: RequestedSeries, { stored }: SeriesService): SeriesAnswer {
  const header = { ...headerOf(requested), kind: 'buckets', buckets: requested.buckets } as const;
  return { header, series: bucketSeries(requested, stored) };
}

/** Raw values. */
export function rawAnswer(requested: RequestedSeries, { reader }: SeriesService): SeriesAnswer {
  return {
    header: { ...headerOf(requested), kind: 'points', buckets: 0 },
    series: rawSeries(requested, reader),
  };
}

/**
 * Raw values where all series together have at most `most` of them. They are counted by their buckets, which are the
 * response where there are more: a chart needs one request.
 */
export async function exactOrBuckets(
  requested: RequestedSeries,
  most: number,
  service: SeriesService,
): Promise<SeriesAnswer> {
  const { header } = bucketAnswer(requested, service);
  const rest = bucketSeries(requested, service.stored);
  const counted: WireSeries[] = [];
  for (let points = 0; points <= most; ) {
    const { value, done } = await rest.next();
    if (done) return rawAnswer(requested, service);
    counted.push(value);
    for (const count of value.columns[3] ?? []) points += count;
  }
  return { header, series: concatenate(counted, rest) };
}

async function* concatenate(
  first: readonly WireSeries[],
  rest: AsyncIterable<WireSeries>,
): AsyncGenerator<WireSeries> {
  yield* first;
  yield* rest;
}

function headerOf({ columns, range, leftOut }: RequestedSeries): Omit<WireHeader, 'kind' | 'buckets'> {
  const named = { series: columns.length, ...(leftOut > 0 && { leftOut }) };
  return { ...named, fromMs: range.from.ms, toMs: range.to.ms };
}

/** Empty buckets are left out: where a series pauses there is a gap. */
async function* bucketSeries(
  { columns, range, buckets }: RequestedSeries,
  stored: SeriesService['stored'],
): AsyncGenerator<WireSeries, undefined> {
  const [fromMs, toMs] = [range.from.ms, range.to.ms];
  for (const column of columns) {
    const { count, min, max } = await stored.buckets(column.number, range, buckets);
    const places = Array.from(count.keys()).filter((place) => count[place] !== 0);
    const timeMs = Float64Array.from(places, (place) => fromMs + ((toMs - fromMs) * place) / buckets);
    const rest = [min, max, count].map((values) => Float64Array.from(places, (at) => values[at] as number));
    yield { ...seriesName(column), columns: [timeMs, ...rest] };
  }
  return undefined;
}

async function* rawSeries(
  { columns, range }: RequestedSeries,
  reader: SeriesService['reader'],
): AsyncGenerator<WireSeries> {
  for (const column of columns) {
    const { timestamps, numbers = new Float64Array(0) } = await reader.read(column.number, range);
    const timeMs = timestamps.ms.map((ms, i) => ms + (timestamps.ns[i] as number) / 1e6);
    yield { ...seriesName(column), columns: [timeMs, numbers] };
  }
}

/** The name of a column in responses. */
export function seriesName({ measurement, tags, field, type }: StoredColumn): WireSeriesName {
  return { measurement, tags: Object.fromEntries(tags), field, type };
}
