import type { PointStorage } from '../core/points/point-storage.ts';
import { compareTimestamps, type Timestamp, timestampAt } from '../core/points/points.ts';
import type { Head } from './head.ts';
import { TIER_SPANS_MS } from './retain.ts';

/** The first and the last moment of a column. */
export interface ColumnExtent {
  readonly first: Timestamp;
  readonly last: Timestamp;
}

/** Of blocks, of summaries of older times, and of what is in memory; undefined: it has no values. Decodes nothing. */
export async function columnExtent(
  shelf: PointStorage,
  heads: readonly Head[],
  column: number,
): Promise<ColumnExtent | undefined> {
  const ends: Timestamp[] = [];
  for (const head of heads) {
    const moments = head.column(column)?.values().moments;
    const count = moments?.ms.length ?? 0;
    if (moments && count > 0) ends.push(timestampAt(moments, 0), timestampAt(moments, count - 1));
  }
  for (let tier = 0; tier < TIER_SPANS_MS.length; tier++) {
    for (const isNewestFirst of [false, true]) {
      for await (const block of shelf.blocks({ columns: [column], range: {}, tier, isNewestFirst })) {
        ends.push(isNewestFirst ? block.last : block.first);
        break;
      }
    }
  }
  ends.sort(compareTimestamps);
  const [first, last] = [ends[0], ends.at(-1)];
  return first && last && { first, last };
}
