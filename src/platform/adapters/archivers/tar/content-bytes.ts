import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { CancelSignal } from '../../../core/cancel-signal.ts';
import { refuseCancelled } from './failures.ts';
import { explainReading } from './read-entries.ts';

const BLOCK_BYTES = 256 * 1024;

/** Unpacks to nowhere: gzip itself compares checksum and length at the end. */
export async function contentBytes(file: string, signal?: CancelSignal): Promise<number> {
  let bytes = 0;
  const source = createReadStream(file, { highWaterMark: BLOCK_BYTES });
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  try {
    await pipeline(source, gunzip, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        refuseCancelled(signal, file);
        bytes += chunk.byteLength;
      }
    });
  } catch (error) {
    throw explainReading(file, error);
  }
  return bytes;
}
