import { ColumnDecoder, decodeColumn, decodeColumns } from '../core/codec/column-codec.ts';
import { valuesOf } from '../core/codec/summaries.ts';
import {
  copyOf,
  countOf,
  joinValues,
  mergeValues,
  noValues,
  partOf,
  within,
} from '../core/points/column-values.ts';
import type { ReadEnd } from '../core/points/point-reader.ts';
import type { PointStorage, StoredBlock } from '../core/points/point-storage.ts';
import {
  type ColumnValues,
  compareTimestamps,
  type FieldType,
  justAfter,
  type TimeRange,
  timestampAt,
} from '../core/points/points.ts';
import { beginsInside, olderSummaries } from './blocks.ts';
import type { Memtable } from './memtable.ts';

export interface ColumnQuery {
  readonly column: number;
  readonly type: FieldType;
  readonly range: TimeRange;
  readonly end?: ReadEnd;
  /** Absent: another process may change blocks, so that none can be cached. */
  readonly newest?: NewestBlockCache;
}

/** Newer memtables last. Copied at once, because a memtable changes with the next write. */
export function memoryValues(
  memtables: readonly Memtable[],
  { column, type, range }: ColumnQuery,
): ColumnValues {
  let merged = joinValues(type, []);
  for (const memtable of memtables) {
    const values = memtable.column(column)?.values();
    if (values) merged = mergeValues(merged, within(values, range));
  }
  return copyOf(merged);
}

/** Blocks and memtables as one. Memtables are read first: what is flushed meanwhile is found twice, not missed. */
export async function readColumn(
  storage: PointStorage,
  memtables: readonly Memtable[],
  query: ColumnQuery,
): Promise<ColumnValues> {
  const { type, range, end } = query;
  const newest = memoryValues(memtables, query);
  const { parts, firstBlock, isEnough } = await (end ? endBlocks(storage, query) : allBlocks(storage, query));
  const stored = mergeValues(joinValues(type, parts), newest);
  const hasNoOlder = beginsInside(firstBlock, range) || (isEnough && end !== undefined && 'last' in end);
  return endOf(hasNoOlder ? stored : mergeValues(await summaryValues(storage, query), stored), end);
}

/**
 * The same in parts: blocks are decoded one at a time into the same memory. Where blocks and memtables overlap, or blocks
 * were merged meanwhile, there is one part.
 */
export async function readParts(
  storage: PointStorage,
  memtables: readonly Memtable[],
  query: ColumnQuery,
): Promise<Iterable<ColumnValues>> {
  const newest = memoryValues(memtables, query);
  const blocks = await blocksInOrder(storage, query);
  const [first, last] = [blocks?.[0], blocks?.at(-1)];
  const isApart =
    last && (countOf(newest) === 0 || compareTimestamps(last.last, timestampAt(newest.timestamps, 0)) < 0);
  const hasOlder = !beginsInside(first, query.range) && countOf(await summaryValues(storage, query)) > 0;
  if (!blocks || !isApart || hasOlder) return [await readColumn(storage, memtables, query)];
  return decodedParts(blocks, newest, query.range);
}

function* decodedParts(
  blocks: readonly StoredBlock[],
  newest: ColumnValues,
  range: TimeRange,
): Generator<ColumnValues> {
  const decoder = new ColumnDecoder();
  for (const { bytes } of blocks) yield within(decoder.decode(bytes), range);
  yield newest;
}

/** Undefined: a block was merged meanwhile, and overlaps what was read already. */
async function blocksInOrder(
  storage: PointStorage,
  { column, range }: ColumnQuery,
): Promise<readonly StoredBlock[] | undefined> {
  const blocks: StoredBlock[] = [];
  for await (const block of storage.blocks({ columns: [column], range, tier: 0 })) {
    const before = blocks.at(-1);
    if (before && compareTimestamps(before.last, block.first) >= 0) return undefined;
    blocks.push(block);
  }
  return blocks;
}

interface BlockValues {
  /** Oldest first. */
  readonly parts: readonly ColumnValues[];
  readonly firstBlock: StoredBlock | undefined;
  /** As many as were requested; there may be more. */
  readonly isEnough: boolean;
}

async function allBlocks(storage: PointStorage, query: ColumnQuery): Promise<BlockValues> {
  const { range } = query;
  const blocks = await blocksInOrder(storage, query);
  if (!blocks) return endBlocks(storage, query);
  const all = decodeColumns(blocks.map(({ bytes }) => bytes));
  const parts = all ? [within(all, range)] : blocks.map(({ bytes }) => within(decodeColumn(bytes), range));
  return { parts, firstBlock: blocks[0], isEnough: false };
}

/** Block by block from the requested end, until there are enough. */
async function endBlocks(storage: PointStorage, query: ColumnQuery): Promise<BlockValues> {
  const { column, range, end, newest } = query;
  const isNewestFirst = end !== undefined && 'last' in end;
  const most = end ? ('last' in end ? end.last : end.first) : Number.POSITIVE_INFINITY;
  const cached = isNewestFirst ? newest?.last(column, range, most) : undefined;
  if (cached) return { parts: [cached.values], firstBlock: cached.block, isEnough: true };
  const version = newest?.version ?? 0;
  const parts: ColumnValues[] = [];
  let rest = range;
  let firstBlock: StoredBlock | undefined;
  let found = 0;
  for await (const block of storage.blocks({ columns: [column], range, tier: 0, isNewestFirst })) {
    const values = decodeColumn(block.bytes);
    // The first one is the last block of the column, whatever the range begins with.
    if (isNewestFirst && range.to === undefined && !firstBlock) newest?.keep({ block, values }, version);
    const part = within(values, rest);
    const count = countOf(part);
    firstBlock = isNewestFirst ? block : (firstBlock ?? block);
    if (count === 0) continue;
    parts.push(part);
    // A block that was merged meanwhile overlaps what was read already.
    rest = isNewestFirst
      ? { ...rest, to: timestampAt(part.timestamps, 0) }
      : { ...rest, from: justAfter(timestampAt(part.timestamps, count - 1)) };
    found += count;
    if (found >= most) break;
  }
  return { parts: isNewestFirst ? parts.reverse() : parts, firstBlock, isEnough: found >= most };
}

function endOf(values: ColumnValues, end: ReadEnd | undefined): ColumnValues {
  if (end === undefined) return values;
  const count = countOf(values);
  return 'last' in end
    ? partOf(values, Math.max(0, count - end.last), count)
    : partOf(values, 0, Math.min(count, end.first));
}

async function summaryValues(
  storage: PointStorage,
  { column, type, range }: ColumnQuery,
): Promise<ColumnValues> {
  let merged = noValues(type);
  for await (const { summaries, places } of olderSummaries(storage, column, range)) {
    merged = mergeValues(merged, partOf(valuesOf(summaries), ...places));
  }
  return merged;
}

export interface DecodedBlock {
  readonly block: StoredBlock;
  readonly values: ColumnValues;
}

/** With 2,048 numbers of 20 bytes each, some five megabytes. */
const MAX_BLOCKS = 128;

/**
 * The decoded newest block of columns whose end was read lately: pages read the last values again and again. Nothing is
 * cached while blocks change, and nothing that was read before a change is kept after it.
 */
export class NewestBlockCache {
  readonly #cache = new Map<number, DecodedBlock>();
  /** Counts begins and ends of changes: odd while one is going on. */
  #version = 0;

  /** For `keep`: the version before the block was read. */
  get version(): number {
    return this.#version;
  }

  async whileChanging<T>(work: () => Promise<T>): Promise<T> {
    this.#version++;
    this.#cache.clear();
    try {
      return await work();
    } finally {
      this.#version++;
    }
  }

  /** The last `count` values of a range, if the newest block of the column has them all. */
  last(column: number, range: TimeRange, count: number): DecodedBlock | undefined {
    const cached = this.#cache.get(column);
    if (cached === undefined) return undefined;
    const inside = within(cached.values, range);
    const found = countOf(inside);
    if (found === 0 || found < count) return undefined;
    // A copy: the caller may change it.
    return { block: cached.block, values: copyOf(partOf(inside, found - count, found)) };
  }

  /** Caches the last block of a column. Strings may be long: they are not cached. */
  keep({ block, values }: DecodedBlock, version: number): void {
    if (version !== this.#version || version % 2 === 1 || values.strings) return;
    this.#cache.delete(block.column);
    this.#cache.set(block.column, { block, values: copyOf(values) });
    if (this.#cache.size > MAX_BLOCKS) this.#cache.delete(this.#cache.keys().next().value as number);
  }
}
