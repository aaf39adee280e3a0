/** One record of a table: where its cells begin and end in the bytes. Good until the next one. */
export interface CsvRecord {
  readonly bytes: Uint8Array;
  /** Cell i is bytes[starts[i]] up to, not including, bytes[ends[i]]; quotes around it are left out. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly count: number;
  /** In which the record begins, from 1. */
  readonly line: number;
  /** A quote is not closed, or something follows it: the cells are not what was meant. */
  readonly isBroken: boolean;
}

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
/** A cell this large means that a quote was never closed. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/**
 * Finds the cells of comma-separated bytes that come in pieces, without making a string of any: a million rows are many
 * millions of cells, of which hardly any is needed as text. Blank lines are left out.
 */
export class CsvScanner implements CsvRecord {
  bytes = new Uint8Array(1);
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  count = 0;
  line = 1;
  isBroken = false;
  readonly #onRecord: (record: CsvRecord) => void;
  /** Bytes that are filled; behind them stands a line end, so that no loop has to check where it is. */
  #filled = 0;
  #linesInside = 0;
  #isFirst = true;

  constructor(onRecord: (record: CsvRecord) => void) {
    this.#onRecord = onRecord;
  }

  push(chunk: Uint8Array): void {
    const needed = this.#filled + chunk.length + 1;
    if (this.bytes.length < needed) {
      const larger = new Uint8Array(needed * 2);
      larger.set(this.bytes.subarray(0, this.#filled));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.#filled);
    this.#filled += chunk.length;
    this.#scan(false);
  }

  finish(): void {
    this.#scan(true);
  }

  #scan(isLast: boolean): void {
    this.bytes[this.#filled] = LF;
    let at = this.#isFirst ? this.#afterMark() : 0;
    while (at < this.#filled) {
      const next = this.#scanRecord(at, isLast);
      if (next < 0) break;
      if (this.count > 1 || (this.starts[0] ?? 0) < (this.ends[0] ?? 0) || this.isBroken)
        this.#onRecord(this);
      this.line += 1 + this.#linesInside;
      at = next;
    }
    this.bytes.copyWithin(0, at, this.#filled);
    this.#filled -= at;
  }

  /** A byte order mark is not part of the first name. */
  #afterMark(): number {
    if (this.#filled < 3) return 0;
    this.#isFirst = false;
    return this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf ? 3 : 0;
  }

  /** Where the next record begins; -1 when this one is not there in full yet. */
  #scanRecord(from: number, isLast: boolean): number {
    const { bytes } = this;
    const filled = this.#filled;
    let at = from;
    this.count = 0;
    this.isBroken = false;
    this.#linesInside = 0;
    for (;;) {
      if (bytes[at] === QUOTE) at = this.#quotedCell(at);
      else {
        const start = at;
        let byte = bytes[at] as number;
        while (byte > COMMA || (byte !== COMMA && byte !== LF && byte !== CR)) byte = bytes[++at] as number;
        this.#addCell(start, at);
      }
      if (at >= filled) return this.#atEnd(from, isLast);
      const byte = bytes[at];
      if (byte === COMMA) at++;
      else if (byte === LF) return at + 1;
      else if (byte === CR) {
        if (at + 1 >= filled && !isLast) return this.#atEnd(from, isLast);
        return bytes[at + 1] === LF && at + 1 < filled ? at + 2 : at + 1;
      } else at = this.#skipBroken(at);
    }
  }

  /** From the opening quote to what follows the closing one; up to the end where there is none. */
  #quotedCell(from: number): number {
    const { bytes } = this;
    const filled = this.#filled;
    let at = from + 1;
    for (;;) {
      while (at < filled && bytes[at] !== QUOTE) {
        if (bytes[at] === LF) this.#linesInside++;
        at++;
      }
      if (at >= filled) this.isBroken = true;
      else if (at + 1 < filled && bytes[at + 1] === QUOTE) {
        at += 2;
        continue;
      }
      this.#addCell(from + 1, Math.min(at, filled));
      return Math.min(at + 1, filled);
    }
  }

  /** Goes on at the end of the line, or of the cell: the record is lost, the ones after it are not. */
  #skipBroken(from: number): number {
    this.isBroken = true;
    let at = from;
    while (this.bytes[at] !== LF && this.bytes[at] !== CR) at++;
    return at;
  }

  #atEnd(from: number, isLast: boolean): number {
    if (isLast) return this.#filled;
    if (this.#filled - from <= MAX_RECORD_BYTES) return -1;
    this.isBroken = true;
    return this.#filled;
  }

  #addCell(start: number, end: number): void {
    if (this.count === this.starts.length) {
      this.starts = enlarged(this.starts);
      this.ends = enlarged(this.ends);
    }
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }
}

function enlarged(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Fewer digits than this always fit a double. */
const MAX_DIGITS = 15;

/**
 * The whole number that the bytes spell, NaN when it is another number or none. "250.0" counts as whole: pandas writes
 * columns with gaps like that.
 */
export function wholeNumber(bytes: Uint8Array, from: number, to: number): number {
  if (to === from) return Number.NaN;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return at > from && isZeroFraction(bytes, at, to) ? value : Number.NaN;
    if (at - from >= MAX_DIGITS) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function isZeroFraction(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== POINT) return false;
  for (let at = from + 1; at < to; at++) if (bytes[at] !== ZERO) return false;
  return true;
}
