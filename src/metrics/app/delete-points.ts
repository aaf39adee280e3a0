import { decodeColumn } from '../core/codec/column-codec.ts';
import { decodeSummaries, partOfSummaries } from '../core/codec/summaries.ts';
import { countOf, partOf } from '../core/points/column-values.ts';
import type { Block, PointStorage } from '../core/points/point-storage.ts';
import { indexRange, type TimeRange } from '../core/points/points.ts';
import { blocksOf, summaryBlocks, TIER_SPANS_MS } from './blocks.ts';

/** Deletes values from stored blocks; returns the columns that have none left. */
export async function deletePoints(
  storage: PointStorage,
  columns: readonly number[],
  range: TimeRange,
): Promise<readonly number[]> {
  const emptied = new Set(columns);
  for (const column of columns) {
    const blocks: Block[] = [];
    const replaced: number[] = [];
    for await (const block of storage.blocks({ columns: [column], range, tier: 0 })) {
      const values = decodeColumn(block.bytes);
      const [start, end] = indexRange(values.timestamps, range);
      if (start === end) continue;
      replaced.push(block.id);
      blocks.push(
        ...blocksOf(column, partOf(values, 0, start)),
        ...blocksOf(column, partOf(values, end, countOf(values))),
      );
    }
    await deleteSummaries(storage, [column, range], { blocks, replaced });
    if (replaced.length > 0) await storage.commit({ columns: [], blocks, replaced, upTo: 0 });
  }
  for await (const { column } of storage.lastBlocks(columns)) emptied.delete(column);
  for (let tier = 1; tier < TIER_SPANS_MS.length; tier++) {
    for await (const { column } of storage.blocks({ columns: [...emptied], range: {}, tier }))
      emptied.delete(column);
  }
  return [...emptied];
}

/** Deletes the spans that begin in the range. */
async function deleteSummaries(
  storage: PointStorage,
  [column, range]: readonly [number, TimeRange],
  change: { readonly blocks: Block[]; readonly replaced: number[] },
): Promise<void> {
  for (let tier = 1; tier < TIER_SPANS_MS.length; tier++) {
    for await (const block of storage.blocks({ columns: [column], range, tier })) {
      const summaries = decodeSummaries(block.bytes);
      const [start, end] = indexRange(summaries.timestamps, range);
      if (start === end) continue;
      change.replaced.push(block.id);
      for (const part of [
        partOfSummaries(summaries, 0, start),
        partOfSummaries(summaries, end, block.count),
      ]) {
        change.blocks.push(...summaryBlocks([column, tier], part));
      }
    }
  }
}
