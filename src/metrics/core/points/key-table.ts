/** Some bytes that stand for something, and whose they are. One object is used for many keys. */
export interface ByteKey {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** FNV-1a of the bytes; whoever scans them has it for nothing. */
  hash: number;
  /** Keys of different owners differ, even when their bytes do not. */
  owner: number;
}

/** Where FNV-1a begins, and its factor: http://www.isthe.com/chongo/tech/comp/fnv */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_FACTOR = 0x01000193;

/** Keys that hash alike on purpose must not make every search long: beyond this many steps a key is not kept. */
const MOST_STEPS = 32;

/** A memory of numbers by bytes, without a string for any of them. It may forget: whoever asks can find out again. */
export class KeyTable {
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

  /** The number, or -1. */
  find(key: ByteKey): number {
    const entry = this.entry(key);
    return entry < 0 ? -1 : (this.#values[entry] as number);
  }

  /** Where the table has the key, or -1. It stays there until all is cleared. */
  entry(key: ByteKey): number {
    const mask = this.#slots.length - 1;
    let slot = place(key) & mask;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
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

  /** Position after the key of the entry where the bytes have it and go on; -1 where they do not. */
  endAt(entry: number, bytes: DataView, at: number): number {
    if (entry < 0 || entry >= this.#count) return -1;
    const from = this.#facts[4 * entry + 2] as number;
    const length = this.#facts[4 * entry + 3] as number;
    if (at + length >= bytes.byteLength) return -1;
    const view = this.#view;
    // Four at once from the end on: keys differ at their ends. The first four may be compared in part twice.
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
    if (!this.#put(entry, place(key))) return;
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
    for (let steps = 0; steps < MOST_STEPS; steps++) {
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
    // One that finds no place any more is only forgotten.
    for (let entry = 0; entry < this.#count; entry++) {
      const [hash = 0, owner = 0] = this.#facts.subarray(4 * entry, 4 * entry + 2);
      this.#put(entry, place({ hash, owner }));
    }
  }
}

function place({ hash, owner }: Pick<ByteKey, 'hash' | 'owner'>): number {
  const mixed = Math.imul(hash ^ Math.imul(owner + 1, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function larger<T extends Int32Array | Uint8Array>(array: T): T {
  const copy = new (array.constructor as new (length: number) => T)(2 * array.length);
  copy.set(array);
  return copy;
}
