import * as fs from 'node:fs';
import { explained, isMissing } from './failures.ts';

/** Large enough that a turn of the event loop for each costs nothing, small beside the memory of any machine. */
const CHUNK_BYTES = 1024 * 1024;

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
