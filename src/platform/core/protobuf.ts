import { utf8 } from './text/utf8.ts';

/** Writes messages in the wire format of Protocol Buffers: https://protobuf.dev/programming-guides/encoding/ */
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

/** A field of a message: its number, and its value as the wire has it. */
export interface WireField {
  readonly number: number;
  /** Of a varint. */
  readonly integer: bigint;
  /** Of 4 or 8 bytes, or of a length. */
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** The fields of a message, in their order. Throws RangeError when the bytes are not a message. */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number has no end');
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError('a field goes beyond its message');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const number = Math.floor(key / 8);
    const type = key % 8;
    if (type === 0) yield { number, integer: BigInt.asIntN(64, varint()), bytes: NOTHING };
    else if (type === 1) yield { number, integer: 0n, bytes: take(8) };
    else if (type === 2) yield { number, integer: 0n, bytes: take(Number(varint())) };
    else if (type === 5) yield { number, integer: 0n, bytes: take(4) };
    else throw new RangeError(`a field is of the unknown type ${type}`);
  }
}

/** A float of 4 bytes or a double of 8; undefined for any other length. */
export function floatOf(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length === 4) return view.getFloat32(0, true);
  return bytes.length === 8 ? view.getFloat64(0, true) : undefined;
}
