import * as fs from 'node:fs';
import { explained, isMissing } from './failures.ts';

/** Large enough that a turn of the event loop for each costs nothing, small beside the memory of any machine. */
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Opens at once, so that a missing file is known at once; the file is closed with the end of the reading. */
export function readChunks(path: string): AsyncIterable<Uint8Array> | undefined {
  let file: number;
  try {
    file = fs.openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return chunksOf(file, path);
}

/** Decoded in large pieces that end with a line, as no character goes across the end of one. */
export function readLineBlocks(path: string): AsyncIterable<readonly string[]> | undefined {
  const chunks = readChunks(path);
  return chunks && linesOf(chunks);
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  let begun: Buffer[] = [];
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= 0) {
      const lines = Buffer.concat([...begun, chunk.subarray(0, end)])
        .toString('utf8')
        .split('\n');
      begun = [];
      yield lines;
    }
    // The bytes are good until the next piece only.
    if (end + 1 < chunk.length) begun.push(Buffer.from(chunk.subarray(end + 1)));
  }
  if (begun.length > 0) yield [Buffer.concat(begun).toString('utf8')];
}

async function* chunksOf(file: number, path: string): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      const count = await new Promise<number>((resolve, reject) =>
        fs.read(file, buffer, 0, CHUNK_BYTES, null, (error, read) => (error ? reject(error) : resolve(read))),
      );
      if (count === 0) return;
      yield buffer.subarray(0, count);
    }
  } catch (error) {
    explained(path, () => {
      throw error;
    });
  } finally {
    fs.closeSync(file);
  }
}
