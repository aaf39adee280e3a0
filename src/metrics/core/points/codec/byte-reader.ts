import { NightmarkError } from '../../../../platform/core/errors.ts';

/** Reads what a `ByteWriter` wrote, in the same order. */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Of the same bytes. */
  readonly view: DataView;
  position = 0;

  constructor(bytes: Uint8Array) {
    // Plain, whatever came: a part of a Node buffer would share its memory where a copy is meant.
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

/** Whoever reads the block adds where it lies. */
export function damaged(why: string): NightmarkError {
  return new NightmarkError('POINTS_BLOCK_DAMAGED', `A block of points cannot be read: ${why}.`, {
    hint: 'Look after the disk, and bring the points back from a backup. Other blocks are not concerned.',
  });
}
