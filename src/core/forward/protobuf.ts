import { utf8 } from '../text/sha256.ts';

/** Just what a WriteRequest needs of the wire format: https://protobuf.dev/programming-guides/encoding/ */
export class ProtobufWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  /** A message or a text. */
  bytes(field: number, value: Uint8Array | string): void {
    const body = typeof value === 'string' ? utf8(value) : value;
    this.#varint(field * 8 + 2);
    this.#varint(body.length);
    this.#reserve(body.length);
    this.#bytes.set(body, this.#size);
    this.#size += body.length;
  }

  double(field: number, value: number): void {
    this.#varint(field * 8 + 1);
    this.#reserve(8);
    this.#view.setFloat64(this.#size, value, true);
    this.#size += 8;
  }

  int64(field: number, value: number): void {
    this.#varint(field * 8);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#byte(Number(rest & 127n) | 128);
    this.#byte(Number(rest));
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#size);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#byte((rest % 128) | 128);
    this.#byte(rest);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#size++] = value;
  }

  #reserve(more: number): void {
    if (this.#size + more <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#size + more));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
