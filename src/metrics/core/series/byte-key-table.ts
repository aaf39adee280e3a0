/** A key of bytes, and its owner. One object is reused for many keys. */
export interface ByteKey {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** FNV-1a of the bytes, computed while they are parsed. */
  hash: number;
  /** Keys of different owners differ, even when their bytes do not. */
  owner: number;
}

/** Offset basis and prime of FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_FACTOR = 0x01000193;

/** Hash collisions on purpose must not make every lookup slow: beyond this many probes a key is not kept. */
const MAX_PROBES = 32;

/** A cache of numbers by keys of bytes, without a string for any of them. It may forget keys. */
export class ByteKeyTable {
  #slots = new Int32Array(2048);
  #facts = new Int32Array(4 * 1024);
  #values = new Int32Array(1024);
  #arena = new Uint8Array(1 << 15);
  #view = new DataView(this.#arena.buffer);
  #used = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The value, or -1. */
  find(key: ByteKey): number {
    const entry = this.entry(key);
    return entry < 0 ? -1 : (this.#values[entry] as number);
  }

  /** The entry of the key, or -1. It is stable until the table is cleared. */
  entry(key: ByteKey): number {
    const mask = this.#slots.length - 1;
    let slot = slotOf(key) & mask;
    for (let steps = 0; steps < MAX_PROBES; steps++) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0) return -1;
      if (this.#facts[4 * entry] === key.hash && this.#isSame(entry, key)) return entry;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  value(entry: number): number {
    return this.#values[entry] as number;
  }

  /** Position after the key of the entry if the bytes have it here and go on, else -1. */
  endAt(entry: number, bytes: DataView, at: number): number {
    if (entry < 0 || entry >= this.#count) return -1;
    const from = this.#facts[4 * entry + 2] as number;
    const length = this.#facts[4 * entry + 3] as number;
    if (at + length >= bytes.byteLength) return -1;
    const view = this.#view;
    // Four at once from the end: keys differ at their ends. The first four may overlap.
    let i = length;
    for (; i > 4; i -= 4) if (view.getInt32(from + i - 4) !== bytes.getInt32(at + i - 4)) return -1;
    if (length >= 4) return view.getInt32(from) === bytes.getInt32(at) ? at + length : -1;
    while (--i >= 0) if (view.getUint8(from + i) !== bytes.getUint8(at + i)) return -1;
    return at + length;
  }

  /** For a key that `find` did not find. */
  add(key: ByteKey, value: number): void {
    if (2 * (this.#count + 1) > this.#slots.length) this.#grow();
    const length = key.end - key.start;
    while (this.#used + length > this.#arena.length) {
      this.#arena = larger(this.#arena);
      this.#view = new DataView(this.#arena.buffer);
    }
    const entry = this.#count;
    if (!this.#put(entry, slotOf(key))) return;
    this.#arena.set(key.bytes.subarray(key.start, key.end), this.#used);
    this.#facts.set([key.hash, key.owner, this.#used, length], 4 * entry);
    this.#values[entry] = value;
    this.#used += length;
    this.#count++;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#count = 0;
    this.#used = 0;
  }

  #isSame(entry: number, { bytes, start, end, owner }: ByteKey): boolean {
    const length = this.#facts[4 * entry + 3] as number;
    if (length !== end - start || this.#facts[4 * entry + 1] !== owner) return false;
    const arena = this.#arena;
    const at = this.#facts[4 * entry + 2] as number;
    for (let i = 0; i < length; i++) if (arena[at + i] !== bytes[start + i]) return false;
    return true;
  }

  #put(entry: number, from: number): boolean {
    const mask = this.#slots.length - 1;
    for (let steps = 0; steps < MAX_PROBES; steps++) {
      const slot = (from + steps) & mask;
      if (this.#slots[slot] !== 0) continue;
      this.#slots[slot] = entry + 1;
      return true;
    }
    return false;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#facts = larger(this.#facts);
    this.#values = larger(this.#values);
    // One that finds no slot any more is only forgotten.
    for (let entry = 0; entry < this.#count; entry++) {
      const [hash = 0, owner = 0] = this.#facts.subarray(4 * entry, 4 * entry + 2);
      this.#put(entry, slotOf({ hash, owner }));
    }
  }
}

function slotOf({ hash, owner }: Pick<ByteKey, 'hash' | 'owner'>): number {
  const mixed = Math.imul(hash ^ Math.imul(owner + 1, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function larger<T extends Int32Array | Uint8Array>(array: T): T {
  const copy = new (array.constructor as new (length: number) => T)(2 * array.length);
  copy.set(array);
  return copy;
}

/**
 * Predicts the next series and field. Senders name the same series in the same order again and again, and comparing
 * bytes with the expected ones is faster than a lookup.
 */
export class LinePredictor {
  readonly #series: ByteKeyTable;
  readonly #fields: ByteKeyTable;
  /** Entry of the next line's series, by the entry of the last field of a line. Plus 1: 0 is none. */
  #nextSeries: Int32Array = new Int32Array(1024);
  /** Entry of the first field, by the entry of the series. */
  #firstField: Int32Array = new Int32Array(1024);
  /** Entry of the next field of the same line, by the entry of a field. */
  #nextField: Int32Array = new Int32Array(1024);
  #seriesEntry = -1;
  #field = -1;
  /** The last field of the line before. */
  #last = -1;

  constructor(series: ByteKeyTable, fields: ByteKeyTable) {
    this.#series = series;
    this.#fields = fields;
  }

  /** Position after the series of the next line if it is the predicted one, or -1. */
  afterSeries(bytes: DataView, at: number): number {
    this.#field = -1;
    this.#seriesEntry = this.#last < 0 ? -1 : (this.#nextSeries[this.#last] ?? 0) - 1;
    return this.#series.endAt(this.#seriesEntry, bytes, at);
  }

  /** Position after the name of the next field of the line, or -1. */
  afterField(bytes: DataView, at: number): number {
    const next =
      this.#field < 0
        ? (this.#firstField[this.#seriesEntry] ?? 0) - 1
        : (this.#nextField[this.#field] ?? 0) - 1;
    this.#field = next;
    return this.#fields.endAt(next, bytes, at);
  }

  /** Column of the last predicted field. */
  get column(): number {
    return this.#fields.value(this.#field);
  }

  /** The predicted line ends. */
  closeLine(): void {
    this.#last = this.#field;
  }

  /** A line with this series was found by lookup. */
  learnSeries(entry: number): void {
    if (this.#last >= 0) this.#nextSeries = put(this.#nextSeries, this.#last, entry);
    this.#seriesEntry = entry;
    this.#field = -1;
  }

  learnField(entry: number): void {
    if (this.#seriesEntry < 0) return;
    if (this.#field < 0) this.#firstField = put(this.#firstField, this.#seriesEntry, entry);
    else this.#nextField = put(this.#nextField, this.#field, entry);
    this.#field = entry;
    this.#last = entry;
  }

  /** Must follow when a table is cleared: its entries will be those of other keys. */
  forget(): void {
    for (const predictions of [this.#nextSeries, this.#firstField, this.#nextField]) predictions.fill(0);
    this.#seriesEntry = -1;
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
