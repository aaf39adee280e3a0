import type { TimeRange } from '../../core/model/points.ts';
import { decodeColumn } from '../../core/points/codec/column-codec.ts';
import { countOf, partOf } from '../../core/points/column-values.ts';
import { placesOf } from '../../core/points/moments.ts';
import type { Block, PointShelf } from '../../core/ports/point-shelf.ts';
import { blocksOf } from './blocks-of.ts';

/** Takes values out of stored blocks; returns the columns that have none left. */
export async function deleteFrom(
  shelf: PointShelf,
  columns: readonly number[],
  range: TimeRange,
): Promise<readonly number[]> {
  const emptied = new Set(columns);
  for (const column of columns) {
    const blocks: Block[] = [];
    const replaced: number[] = [];
    for await (const block of shelf.blocks({ columns: [column], range, tier: 0 })) {
      const values = decodeColumn(block.bytes);
      const [start, end] = placesOf(values.moments, range);
      if (start === end) continue;
      replaced.push(block.id);
      blocks.push(
        ...blocksOf(column, partOf(values, 0, start)),
        ...blocksOf(column, partOf(values, end, countOf(values))),
      );
    }
    if (replaced.length > 0) await shelf.settle({ columns: [], blocks, replaced, upTo: 0 });
  }
  for await (const { column } of shelf.lastBlocks(columns)) emptied.delete(column);
  return [...emptied];
}
