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

/** What is known of the end of a column's blocks, so that most values are settled without looking at older ones. */
interface ColumnEnd {
  readonly last: Timestamp;
  /** Where the small blocks at the end begin, and how many they are. */
  readonly smallSince: Timestamp;
  readonly small: number;
  /** The newest value: the number where that is enough, and what it becomes once somebody asks for it. */
  readonly number?: NewestNumber;
  newest?: ColumnValues;
}

interface NewestNumber {
  readonly type: FieldType;
  readonly value: number;
}

/** So many small blocks at the end of a column are merged into one. */
const MAX_SMALL_BLOCKS = 8;

export class LastValueCache {
  readonly #shelf: PointStorage;
  /** `null`: the column has no blocks. */
  readonly #tails = new Map<number, ColumnEnd | null>();

  constructor(shelf: PointStorage) {
    this.#shelf = shelf;
  }

  /** Looks up those that are not known yet. */
  async learn(columns: readonly number[]): Promise<void> {
    await this.#look(columns.filter((column) => !this.#tails.has(column)));
  }

  /** The newest value of each column in its blocks. */
  async newest(columns: readonly number[]): Promise<ReadonlyMap<number, ColumnValues>> {
    const unknown: number[] = [];
    const known = new Map<number, ColumnValues>();
    for (const column of columns) {
      const tail = this.#tails.get(column);
      if (tail === null) continue;
      if (tail?.number) tail.newest ??= singleValue(tail.last, tail.number);
      if (tail?.newest) known.set(column, tail.newest);
      else unknown.push(column);
    }
    for (const [column, newest] of await this.#look(unknown)) known.set(column, newest);
    return known;
  }

  last(column: number): Timestamp | undefined {
    return this.#tails.get(column)?.last;
  }

  /** What a settling has learned meanwhile is newer than what was read here, and stays. */
  async #look(columns: readonly number[]): Promise<Map<number, ColumnValues>> {
    const found = new Map<number, ColumnValues>();
    if (columns.length === 0) return found;
    const before = new Map(columns.map((column) => [column, this.#tails.get(column)]));
    for await (const block of this.#shelf.lastBlocks(columns)) {
      const { column, count, first, last } = block;
      const newest = newestOf(block);
      found.set(column, newest);
      if (this.#tails.get(column) !== before.get(column)) continue;
      // How many small ones are before it is not known: it is merged with the next one at once.
      const small = count < FULL_BLOCK ? MAX_SMALL_BLOCKS : 0;
      this.#tails.set(column, { small, smallSince: first, ...before.get(column), last, newest });
    }
    for (const column of columns) if (!this.#tails.has(column)) this.#tails.set(column, null);
    return found;
  }

  /** Where to merge from, when the column ends in too many small blocks. */
  mergeSince(column: number): Timestamp | undefined {
    const tail = this.#tails.get(column);
    return tail && tail.small >= MAX_SMALL_BLOCKS ? tail.smallSince : undefined;
  }

  /** Blocks were saved at the end of the column, or somewhere before it. */
  follow(column: number, blocks: readonly Block[], isMerged: boolean): void {
    const newest = blocks.at(-1);
    if (!newest) return;
    const tail = this.#tails.get(column);
    const isBefore = tail !== null && tail !== undefined && compareTimestamps(tail.last, newest.last) > 0;
    const end = isBefore ? endOf(tail) : { last: newest.last, ...newestNumber(newest) };
    const isSmall = newest.count < FULL_BLOCK;
    if (isMerged || !tail || tail.small === 0) {
      this.#tails.set(column, { ...end, small: isSmall ? 1 : 0, smallSince: newest.first });
    } else {
      this.#tails.set(column, { ...end, small: isSmall ? tail.small + 1 : 0, smallSince: tail.smallSince });
    }
  }

  forget(columns: Iterable<number>): void {
    for (const column of columns) this.#tails.delete(column);
  }

  clear(): void {
    this.#tails.clear();
  }
}

/** What a tail says of the end of its column. */
function endOf({ last, number, newest }: ColumnEnd): Pick<ColumnEnd, 'last' | 'number' | 'newest'> {
  return { last, ...(number && { number }), ...(newest && { newest }) };
}

function newestOf(block: Block): ColumnValues {
  const { number } = newestNumber(block);
  if (number) return singleValue(block.last, number);
  const values = decodeColumn(block.bytes);
  return copyOf(partOf(values, countOf(values) - 1, countOf(values)));
}

/** From the beginning of the block alone; nothing for texts and for integers that a number cannot hold. */
function newestNumber({ bytes }: Block): Pick<ColumnEnd, 'number'> {
  const { type, range } = readSummary(bytes);
  const isExact = type === 'float' || type === 'boolean' || Number.isSafeInteger(range?.last);
  return range && isExact ? { number: { type, value: range.last } } : {};
}

function singleValue({ ms, ns }: Timestamp, { type, value }: NewestNumber): ColumnValues {
  const moments = { ms: new Float64Array(1), ns: new Int32Array(1) };
  const numbers = new Float64Array(1);
  [moments.ms[0], moments.ns[0], numbers[0]] = [ms, ns, value];
  return { type, moments, numbers };
}
