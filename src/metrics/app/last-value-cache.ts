import { decodeColumn, readSummary } from '../core/codec/column-codec.ts';
import { copyOf, countOf, partOf } from '../core/points/column-values.ts';
import type { Block, PointStorage } from '../core/points/point-storage.ts';
import {
  type ColumnValues,
  compareTimestamps,
  type FieldType,
  type Timestamp,
} from '../core/points/points.ts';
import { FULL_BLOCK } from './blocks.ts';

/** The end of a column's blocks. */
interface ColumnEnd {
  readonly last: Timestamp;
  /** Where the small blocks at the end begin, and how many they are. */
  readonly smallSince: Timestamp;
  readonly small: number;
  /** The newest value: the number where that is enough, decoded when it is first read. */
  readonly number?: NewestNumber;
  newest?: ColumnValues;
}

interface NewestNumber {
  readonly type: FieldType;
  readonly value: number;
}

/** This many small blocks at the end of a column are merged into one. */
const MAX_SMALL_BLOCKS = 8;

/**
 * The last value of each column in its blocks. Queries for the newest value need no block, and most values are flushed
 * without reading older ones.
 */
export class LastValueCache {
  readonly #storage: PointStorage;
  /** `null`: the column has no blocks. */
  readonly #ends = new Map<number, ColumnEnd | null>();

  constructor(storage: PointStorage) {
    this.#storage = storage;
  }

  /** Reads the ends that are not cached yet. */
  async load(columns: readonly number[]): Promise<void> {
    await this.#read(columns.filter((column) => !this.#ends.has(column)));
  }

  /** The newest value of each column in its blocks. */
  async newest(columns: readonly number[]): Promise<ReadonlyMap<number, ColumnValues>> {
    const missing: number[] = [];
    const found = new Map<number, ColumnValues>();
    for (const column of columns) {
      const end = this.#ends.get(column);
      if (end === null) continue;
      if (end?.number) end.newest ??= singleValue(end.last, end.number);
      if (end?.newest) found.set(column, end.newest);
      else missing.push(column);
    }
    for (const [column, newest] of await this.#read(missing)) found.set(column, newest);
    return found;
  }

  last(column: number): Timestamp | undefined {
    return this.#ends.get(column)?.last;
  }

  /** An end that a flush has updated meanwhile is newer than what was read here, and stays. */
  async #read(columns: readonly number[]): Promise<Map<number, ColumnValues>> {
    const found = new Map<number, ColumnValues>();
    if (columns.length === 0) return found;
    const before = new Map(columns.map((column) => [column, this.#ends.get(column)]));
    for await (const block of this.#storage.lastBlocks(columns)) {
      const { column, count, first, last } = block;
      const newest = newestOf(block);
      found.set(column, newest);
      if (this.#ends.get(column) !== before.get(column)) continue;
      // How many small blocks are before it is unknown: it is merged with the next one at once.
      const small = count < FULL_BLOCK ? MAX_SMALL_BLOCKS : 0;
      this.#ends.set(column, { small, smallSince: first, ...before.get(column), last, newest });
    }
    for (const column of columns) if (!this.#ends.has(column)) this.#ends.set(column, null);
    return found;
  }

  /** Where to compact from, when the column ends in too many small blocks. */
  compactSince(column: number): Timestamp | undefined {
    const end = this.#ends.get(column);
    return end && end.small >= MAX_SMALL_BLOCKS ? end.smallSince : undefined;
  }

  /** Blocks were saved at the end of the column, or somewhere before it. */
  update(column: number, blocks: readonly Block[], isCompacted: boolean): void {
    const newest = blocks.at(-1);
    if (!newest) return;
    const before = this.#ends.get(column);
    const isOlder =
      before !== null && before !== undefined && compareTimestamps(before.last, newest.last) > 0;
    const end = isOlder ? lastOf(before) : { last: newest.last, ...newestNumber(newest) };
    const isSmall = newest.count < FULL_BLOCK;
    if (isCompacted || !before || before.small === 0) {
      this.#ends.set(column, { ...end, small: isSmall ? 1 : 0, smallSince: newest.first });
    } else {
      const small = isSmall ? before.small + 1 : 0;
      this.#ends.set(column, { ...end, small, smallSince: before.smallSince });
    }
  }

  forget(columns: Iterable<number>): void {
    for (const column of columns) this.#ends.delete(column);
  }
}

function lastOf({ last, number, newest }: ColumnEnd): Pick<ColumnEnd, 'last' | 'number' | 'newest'> {
  return { last, ...(number && { number }), ...(newest && { newest }) };
}

function newestOf(block: Block): ColumnValues {
  const { number } = newestNumber(block);
  if (number) return singleValue(block.last, number);
  const values = decodeColumn(block.bytes);
  return copyOf(partOf(values, countOf(values) - 1, countOf(values)));
}

/** From the header of the block alone; nothing for strings and for integers that a number cannot hold. */
function newestNumber({ bytes }: Block): Pick<ColumnEnd, 'number'> {
  const { type, range } = readSummary(bytes);
  const isExact = type === 'float' || type === 'boolean' || Number.isSafeInteger(range?.last);
  return range && isExact ? { number: { type, value: range.last } } : {};
}

function singleValue({ ms, ns }: Timestamp, { type, value }: NewestNumber): ColumnValues {
  const timestamps = { ms: new Float64Array(1), ns: new Int32Array(1) };
  const numbers = new Float64Array(1);
  [timestamps.ms[0], timestamps.ns[0], numbers[0]] = [ms, ns, value];
  return { type, timestamps, numbers };
}
