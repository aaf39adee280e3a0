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
  readonly storage: PointStorage;
  readonly lastValues: LastValueCache;
  /** Lets other tasks run. */
  readonly pause: () => Promise<void>;
}

/** Values that are encoded before others may work: some milliseconds. */
const SLICE_VALUES = 50_000;

/**
 * Writes a memtable as blocks, a slice of columns at a time. The log is truncated with the last slice: after a crash in
 * between some values are in blocks and in the log, and replaying the log changes nothing.
 */
export async function flushMemtable(
  memtable: Memtable,
  newColumns: readonly StoredColumn[],
  { storage, lastValues, pause }: FlushEffects,
): Promise<void> {
  while (memtable.split(SLICE_VALUES)) await pause();
  const numbers = memtable.numbers();
  let columns = newColumns;
  for (let at = 0; at < numbers.length || columns.length > 0; ) {
    const slice: number[] = [];
    for (let values = 0; at < numbers.length && values < SLICE_VALUES; at++) {
      slice.push(numbers[at] as number);
      values += memtable.column(numbers[at] as number)?.count ?? 0;
    }
    await lastValues.load(slice);
    const changes: ColumnChange[] = [];
    for (const column of slice) {
      const values = memtable.column(column)?.values();
      if (values && countOf(values) > 0)
        changes.push(await changeOf(column, values, { storage, lastValues }));
    }
    const blocks = changes.flatMap((change) => change.blocks);
    const replaced = changes.flatMap((change) => change.replaced.map(({ id }) => id));
    const isPart = at < numbers.length;
    await storage.commit({ columns, blocks, replaced, upTo: isPart ? 0 : memtable.lastRecord, isPart });
    for (const { column, blocks: saved, isCompacted } of changes)
      lastValues.update(column, saved, isCompacted);
    columns = [];
    await pause();
  }
}

interface ColumnChange {
  readonly column: number;
  readonly blocks: readonly Block[];
  readonly replaced: readonly StoredBlock[];
  /** The small blocks at the end are now one. */
  readonly isCompacted: boolean;
}

async function changeOf(
  column: number,
  values: ColumnValues,
  { storage, lastValues }: Pick<FlushEffects, 'storage' | 'lastValues'>,
): Promise<ColumnChange> {
  const last = lastValues.last(column);
  const first = timestampAt(values.timestamps, 0);
  if (last && compareTimestamps(first, last) <= 0) return outOfOrderChange(column, values, storage);
  const since = lastValues.compactSince(column);
  if (!since) return { column, blocks: blocksOf(column, values), replaced: [], isCompacted: false };
  const replaced: StoredBlock[] = [];
  let merged: ColumnValues | undefined;
  for await (const block of storage.blocks({ columns: [column], range: { from: since }, tier: 0 })) {
    replaced.push(block);
    merged = merged ? mergeValues(merged, decodeColumn(block.bytes)) : decodeColumn(block.bytes);
  }
  const whole = merged ? mergeValues(merged, values) : values;
  return { column, blocks: blocksOf(column, whole), replaced, isCompacted: true };
}

/** Some values are older than the last block: only the blocks that they fall into are rewritten. */
async function outOfOrderChange(
  column: number,
  values: ColumnValues,
  storage: PointStorage,
): Promise<ColumnChange> {
  const [first, last] = [
    timestampAt(values.timestamps, 0),
    timestampAt(values.timestamps, countOf(values) - 1),
  ];
  const blocks: Block[] = [];
  const replaced: StoredBlock[] = [];
  let at = 0;
  for await (const block of storage.blocks({
    columns: [column],
    range: { from: first, to: justAfter(last) },
    tier: 0,
  })) {
    const before = countBefore(values.timestamps, block.first);
    if (before > at) blocks.push(...blocksOf(column, partOf(values, at, before)));
    at = Math.max(at, before);
    const end = countBefore(values.timestamps, justAfter(block.last));
    if (end > at) {
      replaced.push(block);
      blocks.push(...blocksOf(column, mergeValues(decodeColumn(block.bytes), partOf(values, at, end))));
      at = end;
    }
  }
  if (at < countOf(values)) blocks.push(...blocksOf(column, partOf(values, at, countOf(values))));
  return { column, blocks, replaced, isCompacted: false };
}

export interface PointEngineOptions {
  /** Values in memory that make it flush. */
  readonly flushValues?: number;
  /** Age of the oldest value in memory that makes it flush with the next write. */
  readonly flushAfterMs?: number;
}

/** When points in memory become blocks. */
export interface FlushPolicy {
  /** The number of values, with this many columns. */
  values(columns: number): number;
  /** The age of the oldest value. */
  readonly afterMs: number;
}

const FLUSH_VALUES = 1_000_000;
/** With many columns a flush waits for more values of each, or it would write thousands of tiny blocks. */
const VALUES_PER_COLUMN = 200;
const MAX_VALUES = 2_000_000;
const FLUSH_AFTER_MS = 10 * 60_000;

export function flushPolicy({ flushValues, flushAfterMs = FLUSH_AFTER_MS }: PointEngineOptions): FlushPolicy {
  return {
    values: (columns) =>
      flushValues ?? Math.max(FLUSH_VALUES, Math.min(MAX_VALUES, VALUES_PER_COLUMN * columns)),
    afterMs: flushAfterMs,
  };
}
