/** Bytes that grow as they are written. */
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

  /** A whole number from 0 to 2^53, seven bits a byte. */
  count(value: number): void {
    const bytes = this.#room(8);
    let rest = value;
    while (rest >= 0x80) {
      bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[this.#length++] = rest;
  }

  /** A whole number up to 2^53 either way: six bits and the sign, then seven bits a byte. */
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
