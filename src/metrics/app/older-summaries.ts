import { decodeSummaries, type Summaries } from '../core/codec/summaries.ts';
import type { Block, PointStorage } from '../core/points/point-storage.ts';
import { compareTimestamps, indexRange, type TimeRange } from '../core/points/points.ts';
import { TIER_SPANS_MS } from './retain.ts';

/** Summaries and the places of those in them that begin in the range. */
export interface FoundSummaries {
  readonly summaries: Summaries;
  readonly places: readonly [start: number, end: number];
}

/** What is left of times before the raw values, coarsest and oldest first. */
export async function* olderSummaries(
  shelf: PointStorage,
  column: number,
  range: TimeRange,
): AsyncIterable<FoundSummaries> {
  for (let tier = TIER_SPANS_MS.length - 1; tier > 0; tier--) {
    for await (const { bytes } of shelf.blocks({ columns: [column], range, tier })) {
      const summaries = decodeSummaries(bytes);
      yield { summaries, places: indexRange(summaries.moments, range) };
    }
  }
}

/** A range that begins inside of a raw block has nothing older in it: the usual case, which costs no look at summaries. */
export function beginsInside(first: Block | undefined, { from }: TimeRange): boolean {
  return first !== undefined && from !== undefined && compareTimestamps(first.first, from) <= 0;
}
