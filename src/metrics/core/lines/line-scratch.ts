import type { RefusalReason } from '../points/point-reader.ts';
import type { Precision } from '../points/point-storage.ts';
import { FIELD_TYPES } from '../points/points.ts';

export const FLOAT = FIELD_TYPES.indexOf('float');
export const INTEGER = FIELD_TYPES.indexOf('integer');
export const UNSIGNED = FIELD_TYPES.indexOf('unsigned');
export const BOOLEAN = FIELD_TYPES.indexOf('boolean');
export const STRING = FIELD_TYPES.indexOf('string');

/** The parts of one line, in arrays that the next line reuses: a line allocates nothing. */
export class LineScratch {
  readonly precision: Precision;
  readonly keepsNotFinite: boolean;
  /** Without leading blanks and without the newline. */
  start = 0;
  end = 0;
  seriesStart = 0;
  seriesEnd = 0;
  seriesHash = 0;
  hasTime = false;
  ms = 0;
  ns = 0;
  /** Where the bytes of `ms` and `ns` are, in this line or an earlier one of the same bytes. */
  timeStart = 0;
  timeEnd = 0;
  count = 0;
  keyStart = new Int32Array(16);
  keyEnd = new Int32Array(16);
  keyHash = new Int32Array(16);
  type = new Uint8Array(16);
  value = new Float64Array(16);
  isOther = new Uint8Array(16);
  /** The column number of each field. */
  column = new Int32Array(16);
  others: (string | bigint)[] = [];
  reason: RefusalReason = 'syntax';
  message = '';

  constructor(precision: Precision, keepsNotFinite: boolean) {
    this.precision = precision;
    this.keepsNotFinite = keepsNotFinite;
  }

  /** Must be called before the lines of other bytes. */
  reset(): void {
    this.timeEnd = this.timeStart;
  }

  clear(): void {
    this.count = 0;
    this.hasTime = false;
    if (this.others.length > 0) this.others = [];
  }

  openField(start: number, end: number, hash: number): void {
    if (this.count === this.type.length) this.#grow();
    this.keyStart[this.count] = start;
    this.keyEnd[this.count] = end;
    this.keyHash[this.count] = hash;
  }

  closeField(type: number, value: number): void {
    this.type[this.count] = type;
    this.value[this.count] = value;
    this.isOther[this.count] = 0;
    this.count++;
  }

  closeOther(type: number, value: string | bigint): void {
    this.closeField(type, this.others.length);
    this.isOther[this.count - 1] = 1;
    this.others.push(value);
  }

  /** Records why the line is refused; returns -1 in place of a position. */
  refuse(reason: RefusalReason, message: string): -1 {
    this.reason = reason;
    this.message = message;
    return -1;
  }

  #grow(): void {
    const length = 2 * this.type.length;
    this.keyStart = grown(this.keyStart, new Int32Array(length));
    this.keyEnd = grown(this.keyEnd, new Int32Array(length));
    this.keyHash = grown(this.keyHash, new Int32Array(length));
    this.type = grown(this.type, new Uint8Array(length));
    this.value = grown(this.value, new Float64Array(length));
    this.isOther = grown(this.isOther, new Uint8Array(length));
    this.column = grown(this.column, new Int32Array(length));
  }
}

/** Copies the old values into the new, larger array. */
export function grown<T extends { set(from: T): void }>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Bytes with a meaning in line protocol. */
export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const DOT = 46;
export const EQUALS = 61;
export const BACKSLASH = 92;
export const ZERO = 48;
export const NINE = 57;
/** Lower case ASCII letters differ from upper case in this bit. */
export const LOWER_CASE = 32;
