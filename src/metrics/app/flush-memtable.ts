import { decodeColumn } from '../core/codec/column-codec.ts';
import { countOf, mergeValues, partOf } from '../core/points/column-values.ts';
import type { Block, PointStorage, StoredBlock, StoredColumn } from '../core/points/point-storage.ts';
import {
  type ColumnValues,
  compareTimestamps,
  countBefore,
  justAfter,
  timestampAt,
} from '../core/points/points.ts';
import { blocksOf } from './blocks.ts';
import type { LastValueCache } from './last-value-cache.ts';
import type { Memtable } from './memtable.ts';

interface FlushEffects {
  readonly shelf: PointStorage;
  readonly tails: LastValueCache;
  /** Lets others work for a moment. */
  readonly pause: () => Promise<void>;
}

/** Values that are made blocks before others may work: some milliseconds. */
const SLICE_VALUES = 50_000;

/**
 * Makes blocks of a head, a slice of columns at a time. The log is forgotten with the last slice: after a crash in
 * between some values are in blocks and in the log, and reading them again from the log changes nothing.
 */
export async function flushMemtable(
  head: Memtable,
  newColumns: readonly StoredColumn[],
  { shelf, tails, pause }: FlushEffects,
): Promise<void> {
  while (head.part(SLICE_VALUES)) await pause();
  const numbers = head.numbers();
  let columns = newColumns;
  for (let at = 0; at < numbers.length || columns.length > 0; ) {
    const slice: number[] = [];
    for (let values = 0; at < numbers.length && values < SLICE_VALUES; at++) {
      slice.push(numbers[at] as number);
      values += head.column(numbers[at] as number)?.count ?? 0;
    }
    await tails.learn(slice);
    const changes: ColumnChange[] = [];
    for (const column of slice) {
      const values = head.column(column)?.values();
      if (values && countOf(values) > 0) changes.push(await changeOf(column, values, { shelf, tails }));
    }
    const blocks = changes.flatMap((change) => change.blocks);
    const replaced = changes.flatMap((change) => change.replaced.map(({ id }) => id));
    const isPart = at < numbers.length;
    await shelf.settle({ columns, blocks, replaced, upTo: isPart ? 0 : head.lastRecord, isPart });
    for (const change of changes) tails.follow(change.column, change.blocks, change.isMerged);
    columns = [];
    await pause();
  }
}

interface ColumnChange {
  readonly column: number;
  readonly blocks: readonly Block[];
  readonly replaced: readonly StoredBlock[];
  /** The small blocks at the end are now one. */
  readonly isMerged: boolean;
}

async function changeOf(
  column: number,
  values: ColumnValues,
  { shelf, tails }: Pick<FlushEffects, 'shelf' | 'tails'>,
): Promise<ColumnChange> {
  const last = tails.last(column);
  const first = timestampAt(values.moments, 0);
  if (last && compareTimestamps(first, last) <= 0) return outOfOrderChange(column, values, shelf);
  const since = tails.mergeSince(column);
  if (!since) return { column, blocks: blocksOf(column, values), replaced: [], isMerged: false };
  const replaced: StoredBlock[] = [];
  let merged: ColumnValues | undefined;
  for await (const block of shelf.blocks({ columns: [column], range: { from: since }, tier: 0 })) {
    replaced.push(block);
    merged = merged ? mergeValues(merged, decodeColumn(block.bytes)) : decodeColumn(block.bytes);
  }
  const whole = merged ? mergeValues(merged, values) : values;
  return { column, blocks: blocksOf(column, whole), replaced, isMerged: true };
}

/** Some values are older than the end of the blocks: those blocks into which values fall are made anew, others stay. */
async function outOfOrderChange(
  column: number,
  values: ColumnValues,
  shelf: PointStorage,
): Promise<ColumnChange> {
  const [first, last] = [timestampAt(values.moments, 0), timestampAt(values.moments, countOf(values) - 1)];
  const blocks: Block[] = [];
  const replaced: StoredBlock[] = [];
  let at = 0;
  for await (const block of shelf.blocks({
    columns: [column],
    range: { from: first, to: justAfter(last) },
    tier: 0,
  })) {
    const before = countBefore(values.moments, block.first);
    if (before > at) blocks.push(...blocksOf(column, partOf(values, at, before)));
    at = Math.max(at, before);
    const end = countBefore(values.moments, justAfter(block.last));
    if (end > at) {
      replaced.push(block);
      blocks.push(...blocksOf(column, mergeValues(decodeColumn(block.bytes), partOf(values, at, end))));
      at = end;
    }
  }
  if (at < countOf(values)) blocks.push(...blocksOf(column, partOf(values, at, countOf(values))));
  return { column, blocks, replaced, isMerged: false };
}

export interface PointEngineOptions {
  /** Values in memory that make it settle. */
  readonly settleValues?: number;
  /** Age of the oldest value in memory that makes it settle with the next write. */
  readonly settleAfterMs?: number;
}

/** When points in memory become blocks. */
export interface FlushPolicy {
  /** So many values, with so many columns. */
  values(columns: number): number;
  /** So old is the oldest. */
  readonly afterMs: number;
}

const FLUSH_VALUES = 1_000_000;
/** With many columns a settling waits for more of each, or it would write thousands of tiny blocks. */
const VALUES_PER_COLUMN = 200;
const MAX_VALUES = 2_000_000;
const FLUSH_AFTER_MS = 10 * 60_000;

export function flushPolicy({
  settleValues,
  settleAfterMs = FLUSH_AFTER_MS,
}: PointEngineOptions): FlushPolicy {
  return {
    values: (columns) =>
      settleValues ?? Math.max(FLUSH_VALUES, Math.min(MAX_VALUES, VALUES_PER_COLUMN * columns)),
    afterMs: settleAfterMs,
  };
}
