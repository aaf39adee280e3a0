/** Numbers as 64-bit floats in a blob: exact, compact, and read without an object per number. */
export function toBlob(values: ArrayLike<number>): Uint8Array {
  const column = values instanceof Float64Array ? values : Float64Array.from(values);
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength);
}

export function fromBlob(blob: Uint8Array): Float64Array {
  // A copy: the bytes of the driver may begin where no Float64Array can.
  const bytes = new Uint8Array(blob.byteLength - (blob.byteLength % 8));
  bytes.set(blob.subarray(0, bytes.byteLength));
  return new Float64Array(bytes.buffer);
}
