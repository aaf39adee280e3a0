import { encodeColumn } from '../core/codec/column-codec.ts';
import { decodeSummaries, type Summaries } from '../core/codec/summaries.ts';
import { countOf, partOf } from '../core/points/column-values.ts';
import type { Block, PointStorage } from '../core/points/point-storage.ts';
import {
  type ColumnValues,
  compareTimestamps,
  indexRange,
  type TimeRange,
  timestampAt,
} from '../core/points/points.ts';
import { TIER_SPANS_MS } from './retention.ts';

/** A block as large as this is not merged with what comes after it. */
export const FULL_BLOCK = 512;
/** Large enough that its memtable counts little, small enough that the newest thousand values need one or two. */
const LARGEST_BLOCK = 2048;

/** Values as raw blocks of about the same size. */
export function blocksOf(column: number, values: ColumnValues): readonly Block[] {
  const count = countOf(values);
  const parts = Math.ceil(count / LARGEST_BLOCK);
  return Array.from({ length: parts }, (_, index) => {
    const [start, end] = [Math.floor((count * index) / parts), Math.floor((count * (index + 1)) / parts)];
    return {
      column,
      first: timestampAt(values.moments, start),
      last: timestampAt(values.moments, end - 1),
      count: end - start,
      tier: 0,
      bytes: encodeColumn(partOf(values, start, end)),
    };
  });
}

/** Summaries and the places of those in them that begin in the range. */
export interface FoundSummaries {
  readonly summaries: Summaries;
  readonly places: readonly [start: number, end: number];
}

/** What is left of times before the raw values, coarsest and oldest first. */
export async function* olderSummaries(
  storage: PointStorage,
  column: number,
  range: TimeRange,
): AsyncIterable<FoundSummaries> {
  for (let tier = TIER_SPANS_MS.length - 1; tier > 0; tier--) {
    for await (const { bytes } of storage.blocks({ columns: [column], range, tier })) {
      const summaries = decodeSummaries(bytes);
      yield { summaries, places: indexRange(summaries.moments, range) };
    }
  }
}

/** A range that begins inside of a raw block has nothing older in it: the usual case, which costs no look at summaries. */
export function beginsInside(first: Block | undefined, { from }: TimeRange): boolean {
  return first !== undefined && from !== undefined && compareTimestamps(first.first, from) <= 0;
}
