import type { ColumnValues, FieldType, Moment, TimeRange } from '../../core/model/points.ts';
import { decodeColumn } from '../../core/points/codec/column-codec.ts';
import {
  copyOf,
  countOf,
  joinValues,
  mergeValues,
  noValues,
  partOf,
  within,
} from '../../core/points/column-values.ts';
import { justAfter, momentAt } from '../../core/points/moments.ts';
import { valuesOf } from '../../core/points/summaries.ts';
import type { PointShelf, StoredBlock } from '../../core/ports/point-shelf.ts';
import type { Head } from './head.ts';
import { beginsInside, olderSummaries } from './older-summaries.ts';

export interface ColumnQuery {
  readonly column: number;
  readonly type: FieldType;
  readonly range: TimeRange;
}

/** Newer heads last. Copied at once: what a head holds changes as soon as somebody else may work. */
export function headValues(heads: readonly Head[], { column, type, range }: ColumnQuery): ColumnValues {
  let merged = joinValues(type, []);
  for (const head of heads) {
    const values = head.column(column)?.values();
    if (values) merged = mergeValues(merged, within(values, range));
  }
  return copyOf(merged);
}

/** Blocks and heads as one. Heads are looked at first: what is settled meanwhile is met twice, and not missed. */
export async function readColumn(
  shelf: PointShelf,
  heads: readonly Head[],
  query: ColumnQuery,
): Promise<ColumnValues> {
  const newest = headValues(heads, query);
  const parts: ColumnValues[] = [];
  let from: Moment | undefined = query.range.from;
  let firstBlock: StoredBlock | undefined;
  for await (const block of shelf.blocks({ columns: [query.column], range: query.range, tier: 0 })) {
    const part = within(decodeColumn(block.bytes), { ...query.range, ...(from && { from }) });
    firstBlock ??= block;
    if (countOf(part) === 0) continue;
    parts.push(part);
    from = justAfter(momentAt(part.moments, countOf(part) - 1));
  }
  const stored = mergeValues(joinValues(query.type, parts), newest);
  if (beginsInside(firstBlock, query.range)) return stored;
  return mergeValues(await summaryValues(shelf, query), stored);
}

async function summaryValues(shelf: PointShelf, { column, type, range }: ColumnQuery): Promise<ColumnValues> {
  let merged = noValues(type);
  for await (const { summaries, places } of olderSummaries(shelf, column, range)) {
    merged = mergeValues(merged, partOf(valuesOf(summaries), ...places));
  }
  return merged;
}
