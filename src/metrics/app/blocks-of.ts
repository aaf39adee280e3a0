import { encodeColumn } from '../core/codec/column-codec.ts';
import { countOf, partOf } from '../core/points/column-values.ts';
import type { Block } from '../core/points/point-storage.ts';
import { type ColumnValues, timestampAt } from '../core/points/points.ts';

/** A block as large as this is not merged with what comes after it. */
export const FULL_BLOCK = 512;
/** Large enough that its head counts little, small enough that the newest thousand values need one or two. */
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
