import * as fs from 'node:fs';
import type { EndsOptions, FileEnds } from '../../../core/disk.ts';
import { isMissing, refuseEscape } from './failures.ts';

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
