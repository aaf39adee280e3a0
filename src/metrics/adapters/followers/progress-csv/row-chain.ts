import { textHash } from '../../../../platform/core/text/change-hash.ts';
import { compareCodePoints } from '../../../../platform/core/text/text-order.ts';

/**
 * A hash over rows that does not change when the file is written again with other columns: over the names and cells that
 * are not empty, by name. Kept after 1, 2, 4, 8 ... rows and after the last one, so that another file with fewer rows is
 * known for one.
 */
export class RowChain {
  #rows = 0;
  #hash = '';
  readonly #marks: string[] = [];

  get rows(): number {
    return this.#rows;
  }

  get hash(): string {
    return this.#hash;
  }

  get marks(): readonly string[] {
    return this.#marks;
  }

  static from(rows: number, hash: string, marks: readonly string[]): RowChain {
    const chain = new RowChain();
    chain.#rows = rows;
    chain.#hash = hash;
    chain.#marks.push(...marks);
    return chain;
  }

  add(header: readonly string[], cells: readonly string[]): void {
    const named = header.flatMap((name, at) => (cells[at] ? [`${name}\0${cells[at]}`] : []));
    this.#hash = textHash(`${this.#hash}\n${named.sort(compareCodePoints).join('\n')}`);
    this.#rows++;
    if ((this.#rows & (this.#rows - 1)) === 0) this.#marks.push(this.#hash);
  }

  /** Whether these are the first rows of the other, as far as marks tell. */
  isBeginningOf(other: RowChain): boolean {
    if (this.#rows === other.#rows) return this.#hash === other.#hash;
    return this.#marks.every((mark, at) => mark === other.#marks[at]);
  }
}
