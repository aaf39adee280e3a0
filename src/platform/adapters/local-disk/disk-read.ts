import * as fs from 'node:fs';
import type { EndsOptions, FileEnds } from '../../core/disk.ts';
import { isMissing, refuseEscape, withDiskErrors } from './disk-failures.ts';

/** Reads the two ends of a file; a pipe or device in its place counts as missing, it could block for ever. */
export function readEnds(path: string, options: EndsOptions): FileEnds | undefined {
  const { headBytes, tailBytes, within } = options;
  return withFile(path, within, (file, size) => {
    if (size <= headBytes + tailBytes) {
      return { head: textAt(file, 0, size), tail: '', size, leftOutBytes: 0 };
    }
    const tail = textAt(file, size - tailBytes, tailBytes);
    return { head: textAt(file, 0, headBytes), tail, size, leftOutBytes: size - headBytes - tailBytes };
  });
}

/** What is there from an offset on. */
export function readFrom(path: string, offset: number, bytes: number): Uint8Array | undefined {
  return withFile(path, undefined, (file, size) =>
    bytesAt(file, offset, Math.max(0, Math.min(bytes, size - offset))),
  );
}

function withFile<T>(
  path: string,
  within: string | undefined,
  read: (file: number, size: number) => T,
): T | undefined {
  let file: number;
  try {
    if (within !== undefined) refuseEscape(path, within);
    file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    const facts = fs.fstatSync(file);
    return facts.isFile() ? read(file, facts.size) : undefined;
  } finally {
    fs.closeSync(file);
  }
}

function textAt(file: number, position: number, bytes: number): string {
  return bytesAt(file, position, bytes).toString('utf8');
}

function bytesAt(file: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const read = fs.readSync(file, buffer, filled, bytes - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

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
    withDiskErrors(path, () => {
      throw error;
    });
  } finally {
    fs.closeSync(file);
  }
}
