import * as fs from 'node:fs';
import type { EndsOptions, FileEnds } from '../../../core/ports/disk.ts';
import { isMissing, refuseEscape } from './failures.ts';

/** Reads the two ends of a file; a pipe or device in its place counts as missing, it could block for ever. */
export function readEnds(path: string, options: EndsOptions): FileEnds | undefined {
  const { headBytes, tailBytes, within } = options;
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
    if (!facts.isFile()) return undefined;
    const { size } = facts;
    if (size <= headBytes + tailBytes) {
      return { head: textAt(file, 0, size), tail: '', size, leftOutBytes: 0 };
    }
    const tail = textAt(file, size - tailBytes, tailBytes);
    return { head: textAt(file, 0, headBytes), tail, size, leftOutBytes: size - headBytes - tailBytes };
  } finally {
    fs.closeSync(file);
  }
}

function textAt(file: number, position: number, bytes: number): string {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const read = fs.readSync(file, buffer, filled, bytes - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.toString('utf8', 0, filled);
}
