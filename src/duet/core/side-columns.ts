import type { Iterations } from '../../formats/core/iterations.ts';

/** The moment that a run counts from: whole seconds and nanoseconds, of which each fits a double. */
export interface Origin {
  seconds: number;
  nanos: number;
}

/** Columns of one side of one run that grow as rows come; a million iterations cost no objects. */
export class SideColumns {
  #numbers = new Int32Array(64);
  #starts = new Float64Array(64);
  #ends = new Float64Array(64);
  #times = new Float64Array(64);
  #size = 0;
  #isSorted = true;
  /** Iterations without moments: with one of them, no moment of the side is of use. */
  withoutMoments = 0;

  get size(): number {
    return this.#size;
  }

  /** Start and end count from the origin of the run; NaN where they are not known. */
  add(number: number, start: number, end: number, time: number): void {
    if (this.#size === this.#numbers.length) this.#grow();
    const at = this.#size++;
    if (at > 0 && !(start >= (this.#starts[at - 1] as number))) this.#isSorted = false;
    if (Number.isNaN(start)) this.withoutMoments++;
    this.#numbers[at] = number;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#times[at] = time;
  }

  earliest(): number {
    let least = Infinity;
    for (let at = 0; at < this.#size; at++) least = Math.min(least, this.#starts[at] as number);
    return least;
  }

  /** In the order of their starts (of their numbers, where there are no starts); moments `shift` earlier. */
  finish(shift: number): Iterations {
    const hasMoments = this.withoutMoments === 0;
    const order = this.#order(hasMoments);
    const numbers = order(this.#numbers.slice(0, this.#size));
    const times = order(this.#times.slice(0, this.#size));
    if (!hasMoments) return { numbers, times };
    const shifted = (column: Float64Array) =>
      order(column.slice(0, this.#size)).map((value) => value - shift);
    return { numbers, times, starts: shifted(this.#starts), ends: shifted(this.#ends) };
  }

  #order(hasMoments: boolean): <T extends Int32Array | Float64Array>(column: T) => T {
    if (hasMoments && this.#isSorted) return (column) => column;
    const keys = hasMoments ? this.#starts : this.#numbers;
    const places = Uint32Array.from({ length: this.#size }, (_, index) => index);
    places.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
    return (column) => {
      const source = column.slice();
      for (const [to, from] of places.entries()) column[to] = source[from] as number;
      return column;
    };
  }

  #grow(): void {
    this.#numbers = doubled(this.#numbers, (length) => new Int32Array(length));
    this.#starts = doubled(this.#starts, (length) => new Float64Array(length));
    this.#ends = doubled(this.#ends, (length) => new Float64Array(length));
    this.#times = doubled(this.#times, (length) => new Float64Array(length));
  }
}

function doubled<T extends Int32Array | Float64Array>(array: T, make: (length: number) => T): T {
  const larger = make(array.length * 2);
  larger.set(array);
  return larger;
}
