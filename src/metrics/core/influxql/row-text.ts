/** Rows of numbers as JSON, written as bytes and turned into text at once: thousands of small texts would take longer. */
export class RowText {
  #bytes = new Uint8Array(1 << 14);
  #used = 0;

  /** `[time,cell,...]` of some rows with commas between them. Nanoseconds as digits; what is no number as null. */
  write(moments: RowMoments, cells: readonly Float64Array[], { from, to, textOf }: RowPart): string {
    this.#used = 0;
    for (let row = from; row < to; row++) {
      if (this.#used + MOST_CELL * (cells.length + 2) > this.#bytes.length) this.#grow();
      if (row > from) this.#put(COMMA);
      this.#put(OPEN);
      this.#time(moments.ms[row] as number, moments.ns[row] as number);
      for (let column = 0; column < cells.length; column++) {
        this.#put(COMMA);
        this.#number((cells[column] as Float64Array)[row] as number);
      }
      this.#put(CLOSE);
    }
    return textOf(this.#bytes.subarray(0, this.#used));
  }

  #put(code: number): void {
    this.#bytes[this.#used++] = code;
  }

  /** Whole milliseconds since 1970 that have 13 digits. */
  #time(ms: number, ns: number): void {
    const high = Math.floor(ms / 1e7);
    this.#digits(high, 6);
    this.#digits(ms - high * 1e7, 7);
    this.#digits(ns, 6);
  }

  #number(value: number): void {
    const size = Math.abs(value);
    const thousandths = Math.round(size * 1000);
    // Decimals of so few digits are the shortest that mean this number.
    if (size < MOST_SHORT && thousandths / 1000 === size) {
      if (value < 0 || Object.is(value, -0)) this.#put(MINUS);
      const whole = (thousandths / 1000) | 0;
      this.#digits(whole, lengthOf(whole));
      this.#places(thousandths - whole * 1000);
    } else this.#plain(Number.isFinite(value) ? String(value) : 'null');
  }

  /** Thousandths without the zeros at their end. */
  #places(thousandths: number): void {
    if (thousandths === 0) return;
    this.#put(DOT);
    if (thousandths % 100 === 0) this.#digits(thousandths / 100, 1);
    else if (thousandths % 10 === 0) this.#digits(thousandths / 10, 2);
    else this.#digits(thousandths, 3);
  }

  #plain(text: string): void {
    for (let i = 0; i < text.length; i++) this.#put(text.charCodeAt(i));
  }

  /** So many, with zeros in front. */
  #digits(value: number, count: number): void {
    const bytes = this.#bytes;
    let rest = value | 0;
    this.#used += count;
    for (let at = this.#used - 1; at >= this.#used - count; at--) {
      const tens = (rest / 10) | 0;
      bytes[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export interface RowMoments {
  readonly ms: ArrayLike<number>;
  readonly ns: ArrayLike<number>;
}

/** Text of bytes that are ASCII: the platform does it many times faster than the language. */
export type TextOf = (bytes: Uint8Array) => string;

interface RowPart {
  readonly from: number;
  readonly to: number;
  readonly textOf: TextOf;
}

/** Whether the times of these rows have the digits that are written. */
export function areUsualTimes({ ms }: RowMoments, from: number, to: number): boolean {
  for (let row = from; row < to; row++) {
    const at = ms[row] as number;
    if (!(at >= 1e12 && at < 1e13)) return false;
  }
  return true;
}

/** The longest text of a number or a time, and more. */
const MOST_CELL = 32;
/** Below it thousandths are whole numbers of 31 bits. */
const MOST_SHORT = 2e6;
const [COMMA, OPEN, CLOSE, MINUS, DOT, ZERO] = [44, 91, 93, 45, 46, 48] as const;

function lengthOf(whole: number): number {
  let count = 1;
  for (let least = 10; whole >= least; least *= 10) count++;
  return count;
}
