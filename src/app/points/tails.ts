import type { ColumnValues, Moment } from '../../core/model/points.ts';
import { decodeColumn, readSummary } from '../../core/points/codec/column-codec.ts';
import { countOf, partOf } from '../../core/points/column-values.ts';
import { compareMoments } from '../../core/points/moments.ts';
import type { Block, PointShelf } from '../../core/ports/point-shelf.ts';
import { FULL_BLOCK } from './blocks-of.ts';

/** What is known of the end of a column's blocks, so that most values are settled without looking at older ones. */
interface Tail {
  readonly last: Moment;
  /** Where the small blocks at the end begin, and how many they are. */
  readonly smallSince: Moment;
  readonly small: number;
  /** The newest value, once somebody asked for it. */
  readonly newest?: ColumnValues;
}

/** So many small blocks at the end of a column are merged into one. */
const MOST_SMALL = 8;

export class Tails {
  readonly #shelf: PointShelf;
  /** `null`: the column has no blocks. */
  readonly #tails = new Map<number, Tail | null>();

  constructor(shelf: PointShelf) {
    this.#shelf = shelf;
  }

  /** Looks up those that are not known yet. */
  async learn(columns: readonly number[]): Promise<void> {
    await this.#look(columns.filter((column) => !this.#tails.has(column)));
  }

  /** The newest value of each column in its blocks. */
  async newest(columns: readonly number[]): Promise<ReadonlyMap<number, ColumnValues>> {
    const unknown = columns.filter((column) => {
      const tail = this.#tails.get(column);
      return tail === undefined || (tail !== null && tail.newest === undefined);
    });
    const found = await this.#look(unknown);
    for (const column of columns) {
      const newest = this.#tails.get(column)?.newest;
      if (newest && !found.has(column)) found.set(column, newest);
    }
    return found;
  }

  last(column: number): Moment | undefined {
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
      const small = count < FULL_BLOCK ? MOST_SMALL : 0;
      this.#tails.set(column, { small, smallSince: first, ...before.get(column), last, newest });
    }
    for (const column of columns) if (!this.#tails.has(column)) this.#tails.set(column, null);
    return found;
  }

  /** Where to merge from, when the column ends in too many small blocks. */
  mergeSince(column: number): Moment | undefined {
    const tail = this.#tails.get(column);
    return tail && tail.small >= MOST_SMALL ? tail.smallSince : undefined;
  }

  /** Blocks were saved at the end of the column, or somewhere before it. */
  follow(column: number, blocks: readonly Block[], isMerged: boolean): void {
    const newest = blocks.at(-1);
    if (!newest) return;
    const tail = this.#tails.get(column);
    const last = tail && compareMoments(tail.last, newest.last) > 0 ? tail.last : newest.last;
    const isSmall = newest.count < FULL_BLOCK;
    if (isMerged || !tail || tail.small === 0) {
      this.#tails.set(column, { last, small: isSmall ? 1 : 0, smallSince: newest.first });
    } else {
      this.#tails.set(column, { last, small: isSmall ? tail.small + 1 : 0, smallSince: tail.smallSince });
    }
  }

  forget(columns: Iterable<number>): void {
    for (const column of columns) this.#tails.delete(column);
  }

  clear(): void {
    this.#tails.clear();
  }
}

function newestOf(block: Block): ColumnValues {
  const { type, range } = readSummary(block.bytes);
  if ((type === 'float' || type === 'boolean') && range) {
    return {
      type,
      moments: { ms: Float64Array.of(block.last.ms), ns: Int32Array.of(block.last.ns) },
      numbers: Float64Array.of(range.last),
    };
  }
  const values = decodeColumn(block.bytes);
  return partOf(values, countOf(values) - 1, countOf(values));
}
