import type { KeyTable } from './key-table.ts';

/**
 * Senders name the same series in the same order again and again. What followed a line the last time is most likely
 * what follows it now, and to see that it does is less work than to find it. Only guesses: whoever asks compares bytes.
 */
export class LineTrail {
  readonly #heads: KeyTable;
  readonly #fields: KeyTable;
  /** Entry of the next line's head, by the entry of the last field of a line. These have 1 added: 0 is none. */
  #nextHead: Int32Array = new Int32Array(1024);
  /** Entry of the first field, by the entry of the head. */
  #firstField: Int32Array = new Int32Array(1024);
  /** Entry of the next field of the same line, by the entry of a field. */
  #nextField: Int32Array = new Int32Array(1024);
  #head = -1;
  #field = -1;
  /** The last field of the line before. */
  #last = -1;

  constructor(heads: KeyTable, fields: KeyTable) {
    this.#heads = heads;
    this.#fields = fields;
  }

  /** Position after the head of the next line where it is the one that is guessed, or -1. */
  afterHead(bytes: DataView, at: number): number {
    this.#field = -1;
    this.#head = this.#last < 0 ? -1 : (this.#nextHead[this.#last] ?? 0) - 1;
    return this.#heads.endAt(this.#head, bytes, at);
  }

  /** Position after the name of the next field of the line, or -1. */
  afterField(bytes: DataView, at: number): number {
    const next =
      this.#field < 0 ? (this.#firstField[this.#head] ?? 0) - 1 : (this.#nextField[this.#field] ?? 0) - 1;
    this.#field = next;
    return this.#fields.endAt(next, bytes, at);
  }

  /** Column of the field that was guessed last, where the bytes have it. */
  get column(): number {
    return this.#fields.value(this.#field);
  }

  /** The line that was guessed is over. */
  closeLine(): void {
    this.#last = this.#field;
  }

  /** A line with this head was found without a guess. */
  learnHead(entry: number): void {
    if (this.#last >= 0) this.#nextHead = put(this.#nextHead, this.#last, entry);
    this.#head = entry;
    this.#field = -1;
  }

  learnField(entry: number): void {
    if (this.#head < 0) return;
    if (this.#field < 0) this.#firstField = put(this.#firstField, this.#head, entry);
    else this.#nextField = put(this.#nextField, this.#field, entry);
    this.#field = entry;
    this.#last = entry;
  }

  /** Must follow when a table is cleared: its entries will be those of other keys. */
  forget(): void {
    for (const guesses of [this.#nextHead, this.#firstField, this.#nextField]) guesses.fill(0);
    this.#head = -1;
    this.#field = -1;
    this.#last = -1;
  }
}

function put(array: Int32Array, at: number, entry: number): Int32Array {
  let room = array;
  if (at >= array.length) {
    room = new Int32Array(Math.max(2 * array.length, at + 1));
    room.set(array);
  }
  room[at] = entry + 1;
  return room;
}
