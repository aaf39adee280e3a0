import { copyOf, countOf, partOf, within } from '../core/points/column-values.ts';
import type { StoredBlock } from '../core/points/point-storage.ts';
import type { ColumnValues, TimeRange } from '../core/points/points.ts';

export interface DecodedBlock {
  readonly block: StoredBlock;
  readonly values: ColumnValues;
}

/** With 2,048 numbers of 20 bytes each, some five megabytes. */
const MOST = 128;

/**
 * The newest block of columns whose end was asked for lately, decoded: pages ask for the last values again and again.
 * Nothing is known while blocks change, and nothing that was read before is kept after it.
 */
export class NewestBlocks {
  readonly #known = new Map<number, DecodedBlock>();
  /** Grows with each change; odd while one is going on. */
  #change = 0;

  /** What `keep` wants to be told: taken before the block is read. */
  get change(): number {
    return this.#change;
  }

  async whileChanging<T>(work: () => Promise<T>): Promise<T> {
    this.#change++;
    this.#known.clear();
    try {
      return await work();
    } finally {
      this.#change++;
    }
  }

  /** The last so many values of a range, if the newest block of the column has them all. */
  last(column: number, range: TimeRange, count: number): DecodedBlock | undefined {
    const known = this.#known.get(column);
    if (known === undefined) return undefined;
    const inside = within(known.values, range);
    const found = countOf(inside);
    if (found === 0 || found < count) return undefined;
    // A copy: whoever asked may do with it what they like.
    return { block: known.block, values: copyOf(partOf(inside, found - count, found)) };
  }

  /** Takes the last block of a column. Texts may be long: they are not kept. */
  keep({ block, values }: DecodedBlock, change: number): void {
    if (change !== this.#change || change % 2 === 1 || values.strings) return;
    this.#known.delete(block.column);
    this.#known.set(block.column, { block, values: copyOf(values) });
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value as number);
  }
}
