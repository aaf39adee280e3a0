import { encodeColumn } from '../core/codec/column-codec.ts';
import { decodeSummaries, encodeSummaries, type Summaries } from '../core/codec/summaries.ts';
import { countOf, partOf } from '../core/points/column-values.ts';
import type { Block, PointStorage } from '../core/points/point-storage.ts';
import {
  type ColumnValues,
  compareTimestamps,
  indexRange,
  type TimeRange,
  timestampAt,
} from '../core/points/points.ts';

/** A block of at least this many values is not merged with the next one. */
export const FULL_BLOCK = 512;
/** Large enough that the header counts little, small enough that the newest thousand values need one or two blocks. */
const MAX_BLOCK = 2048;

/** Values as raw blocks of about the same size. */
export function blocksOf(column: number, values: ColumnValues): readonly Block[] {
  const count = countOf(values);
  const parts = Math.ceil(count / MAX_BLOCK);
  return Array.from({ length: parts }, (_, index) => {
    const [start, end] = [Math.floor((count * index) / parts), Math.floor((count * (index + 1)) / parts)];
    return {
      column,
      first: timestampAt(values.timestamps, start),
      last: timestampAt(values.timestamps, end - 1),
      count: end - start,
      tier: 0,
      bytes: encodeColumn(partOf(values, start, end)),
    };
  });
}

/** Summaries, and the index range of those that begin in the time range. */
export interface FoundSummaries {
  readonly summaries: Summaries;
  readonly places: readonly [start: number, end: number];
}

/** Summaries from before the raw values, coarsest and oldest first. */
export async function* olderSummaries(
  storage: PointStorage,
  column: number,
  range: TimeRange,
): AsyncIterable<FoundSummaries> {
  for (let tier = TIER_SPANS_MS.length - 1; tier > 0; tier--) {
    for await (const { bytes } of storage.blocks({ columns: [column], range, tier })) {
      const summaries = decodeSummaries(bytes);
      yield { summaries, places: indexRange(summaries.timestamps, range) };
    }
  }
}

/** A range that begins inside of a raw block holds no summaries: the usual case, for which none are read. */
export function beginsInside(first: Block | undefined, { from }: TimeRange): boolean {
  return first !== undefined && from !== undefined && compareTimestamps(first.first, from) <= 0;
}

/** Milliseconds of the spans of each tier; tier 0 is raw. */
export const TIER_SPANS_MS: readonly number[] = [0, 60_000, 3_600_000];

/** One block, or none for no summaries. */
export function summaryBlocks(
  [column, tier]: readonly [number, number],
  summaries: Summaries,
): readonly Block[] {
  const count = summaries.timestamps.ms.length;
  if (count === 0) return [];
  const [first, last] = [timestampAt(summaries.timestamps, 0), timestampAt(summaries.timestamps, count - 1)];
  return [{ column, first, last, count, tier, bytes: encodeSummaries(summaries) }];
}
