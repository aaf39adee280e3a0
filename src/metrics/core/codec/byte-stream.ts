import { NightmarkError } from '../../../platform/core/errors.ts';

/** A growing buffer of bytes. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#room(1)[this.#length++] = value;
  }

  /** An integer from 0 to 2^53 as a varint: seven bits a byte. */
  count(value: number): void {
    const bytes = this.#room(8);
    let rest = value;
    while (rest >= 0x80) {
      bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[this.#length++] = rest;
  }

  /** A signed integer up to 2^53: six bits and the sign, then seven bits a byte. */
  whole(value: number): void {
    const magnitude = Math.abs(value);
    const sign = value < 0 ? 0x40 : 0;
    if (magnitude < 0x40) this.byte(magnitude | sign);
    else {
      this.byte((magnitude % 0x40) | sign | 0x80);
      this.count(Math.floor(magnitude / 0x40));
    }
  }

  number(value: number): void {
    const bytes = this.#room(8);
    new DataView(bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  append(added: Uint8Array): void {
    this.#room(added.length).set(added, this.#length);
    this.#length += added.length;
  }

  /** Room for `size` more bytes, to be filled by the caller. */
  claim(size: number): Uint8Array {
    const bytes = this.#room(size);
    this.#length += size;
    return bytes.subarray(this.#length - size, this.#length);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #room(size: number): Uint8Array {
    if (this.#length + size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + size));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** Reads what a `ByteWriter` wrote, in the same order. */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Of the same bytes. */
  readonly view: DataView;
  position = 0;

  constructor(bytes: Uint8Array) {
    // Not a Node Buffer: its slice() would share memory where a copy is meant.
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  byte(): number {
    const value = this.bytes[this.position++];
    if (value === undefined) throw damaged('it ends too early');
    return value;
  }

  count(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
      if (scale > 2 ** 56) throw damaged('a number in it has no end');
    }
  }

  whole(): number {
    const byte = this.byte();
    const magnitude = (byte & 0x3f) + (byte & 0x80 ? this.count() * 0x40 : 0);
    return byte & 0x40 && magnitude > 0 ? -magnitude : magnitude;
  }

  number(): number {
    const start = this.position;
    this.skip(8);
    return this.view.getFloat64(start, true);
  }

  take(size: number): Uint8Array {
    const start = this.position;
    this.skip(size);
    return this.bytes.subarray(start, this.position);
  }

  skip(size: number): void {
    const end = this.position + size;
    if (end > this.bytes.length) throw damaged('it ends too early');
    this.position = end;
  }
}

/** The reader of the block adds where it is stored. */
export function damaged(why: string): NightmarkError {
  return new NightmarkError('POINTS_BLOCK_DAMAGED', `A block of points cannot be read: ${why}.`, {
    hint: 'Check the disk, and restore the points from a backup. Other blocks are not affected.',
  });
}
