/** A field of a message: its number, and its value as the wire has it. */
export interface WireField {
  readonly number: number;
  /** Of a varint. */
  readonly integer: bigint;
  /** Of 4 or 8 bytes, or of a length. */
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** The fields of a message in Protocol Buffers, in their order. Throws RangeError when the bytes are no message. */
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
