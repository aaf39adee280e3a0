import type { HistorySeries } from '../../charts/page/history-data.ts';
import { compareNaturally } from '../../platform/core/text/text-order.ts';
import { documentRef, type SourceProblem, theSource } from '../../platform/page/data/source.ts';
import { useFetched } from '../../platform/page/data/use-document.ts';
import { decodeWire } from '../core/points/columns-wire.ts';
import type { PointChoice } from './point-choice.ts';

interface Found {
  readonly columns?: Uint8Array;
  readonly problem?: SourceProblem;
  readonly isBusy: boolean;
}

/** About one for each pixel. */
const BUCKETS = 1_000;
/** So many are drawn as they are. */
const EXACT_POINTS = 20_000;

/**
 * Values of the first of the chosen series that have some in the range: exact where there are few of them, and fetched
 * again when points come in.
 */
export function useColumns(
  choice: PointChoice,
  { zoom, most }: { readonly zoom: readonly [number, number] | undefined; readonly most: number },
): Found {
  const { database, measurement, field, tags } = choice;
  const named = Object.fromEntries(tags.map(([key, value]) => [`tag.${key}`, value]));
  const range = zoom ? { from: zoom[0], to: zoom[1] } : { all: 1 };
  // In one request: the server finds the time range and the number of points.
  const limits = { ...range, buckets: BUCKETS, exact: EXACT_POINTS, most };
  const query = { database, measurement, field, ...named, ...limits };
  const of = JSON.stringify([database, measurement, field, tags]);
  const { value, problem, isLoading } = useFetched({
    key: documentRef(['points'], { query }).path,
    fetch: async (path, signal) => ({ of, columns: new Uint8Array(await theSource().bytes(path, signal)) }),
    topic: 'points',
  });
  // Another range of the same lines stays in sight until its own is here; lines of something else do not.
  const isOfThis = value?.of === of;
  return {
    isBusy: isLoading || (value !== undefined && !isOfThis),
    ...(isOfThis && { columns: value.columns }),
    ...(problem && { problem }),
  };
}

export interface PointLines {
  /** From and to, in milliseconds: the requested range, or that of the series. */
  readonly range: readonly [number, number];
  readonly lines: readonly HistorySeries[];
  /** Values in the range, of all series. */
  readonly points: number;
  readonly count: number;
  /** Series that are not drawn. */
  readonly hidden: number;
  /** Every value is drawn, not only the extremes of buckets. */
  readonly isExact: boolean;
}

/** Lines of a response of /api/points: raw values, or up and down between the extremes of each bucket. */
export function toHistory(bytes: Uint8Array): PointLines {
  const { header, series } = decodeWire(bytes);
  const isExact = header.kind === 'points';
  const width = isExact ? 0 : (header.toMs - header.fromMs) / header.buckets;
  const names = distinctTags(series.map(({ tags }) => tags));
  const some = series.map((one, place) => ({ ...one, name: names[place] ?? '' }));
  const filled = some.filter(({ columns }) => (columns[0]?.length ?? 0) > 0);
  const lines = filled.map(({ columns, name }): HistorySeries => {
    const [times, low, high] = columns as [Float64Array, Float64Array, Float64Array]; // as the header says
    return isExact ? { name, times, values: low } : { name, ...zigzag(times, low, high, width) };
  });
  const points = filled.reduce(
    (sum, { columns }) => sum + (isExact ? (columns[0]?.length ?? 0) : total(columns[3])),
    0,
  );
  const hidden = header.leftOut ?? 0;
  return { range: [header.fromMs, header.toMs], lines, points, count: filled.length, hidden, isExact };
}

/** Two points for each bucket; a gap where buckets without values lie between. */
function zigzag(times: Float64Array, low: Float64Array, high: Float64Array, width: number) {
  const [x, y]: [number[], number[]] = [[], []];
  for (let at = 0; at < times.length; at++) {
    const time = times[at] as number; // at < length
    const before = times[at - 1];
    // A series with rare points is not a line of gaps: only a much longer pause is one.
    if (before !== undefined && time - before > GAP * width) {
      x.push(before + width);
      y.push(Number.NaN);
    }
    x.push(time, time + width / 2);
    y.push(low[at] as number, high[at] as number);
  }
  return { times: x, values: y };
}

const GAP = 50;

/** Each by the tags in which it differs from others. */
function distinctTags(all: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const keys = [...new Set(all.flatMap((tags) => Object.keys(tags)))].sort(compareNaturally);
  const differing = keys.filter((key) => new Set(all.map((tags) => tags[key])).size > 1);
  return all.map(
    (tags) =>
      differing.flatMap((key) => (tags[key] === undefined ? [] : [`${key}=${tags[key]}`])).join(' ') || 'all',
  );
}

function total(values: Float64Array | undefined): number {
  return (values ?? new Float64Array(0)).reduce((sum, value) => sum + value, 0);
}
