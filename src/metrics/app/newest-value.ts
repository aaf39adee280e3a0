import { copyOf, countOf, partOf } from '../core/points/column-values.ts';
import { type ColumnValues, compareTimestamps, timestampAt } from '../core/points/points.ts';
import type { Head } from './head.ts';

/** The newest value that is in memory, of one column. Newer heads last. */
export function newestInHeads(heads: readonly Head[], column: number): ColumnValues | undefined {
  let newest: ColumnValues | undefined;
  for (const head of heads) {
    const values = head.column(column)?.values();
    if (values) newest = laterOf(newest, partOf(values, countOf(values) - 1, countOf(values)));
  }
  return newest && copyOf(newest);
}

/** Of two single values the later one; of the same moment the second, which was written later. */
export function laterOf(a: ColumnValues | undefined, b: ColumnValues | undefined): ColumnValues | undefined {
  if (!a || !b) return a ?? b;
  return compareTimestamps(timestampAt(a.moments, 0), timestampAt(b.moments, 0)) > 0 ? a : b;
}
