import { inflateSync } from 'node:zlib';

export interface ReadPng {
  readonly width: number;
  readonly height: number;
  /** 2: colours, 3: of a palette, 6: colours that may shine through. */
  readonly colourType: number;
  /** Red, green and blue of each pixel. */
  readonly rgb: Uint8Array;
}

/** Pictures as Nightmark writes them: 8 bits, no filters. */
export function readPng(png: Uint8Array): ReadPng {
  const view = new DataView(png.buffer, png.byteOffset);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < png.length; at += view.getUint32(at) + 12) {
    const name = String.fromCharCode(...png.subarray(at + 4, at + 8));
    chunks.set(name, png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const [width, height, colourType] = [view.getUint32(16), view.getUint32(20), png[25] ?? 0];
  const rows = inflateSync(chunks.get('IDAT') ?? new Uint8Array());
  const palette = chunks.get('PLTE') ?? new Uint8Array();
  const bytes = colourType === 3 ? 1 : colourType === 2 ? 3 : 4;
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const row = Math.floor(pixel / width);
    const at = row * (width * bytes + 1) + 1 + (pixel % width) * bytes;
    if (rows[row * (width * bytes + 1)] !== 0) throw new Error('a filter');
    const from = colourType === 3 ? palette : rows;
    const start = colourType === 3 ? (rows[at] ?? 0) * 3 : at;
    for (let channel = 0; channel < 3; channel++) rgb[pixel * 3 + channel] = from[start + channel] ?? 0;
  }
  return { width, height, colourType, rgb };
}
