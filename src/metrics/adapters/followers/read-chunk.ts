import { open } from 'node:fs/promises';

export interface FileChunk {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly modifiedAt: number;
}

/** Bytes of a file from `from` on, at most `length`; undefined when it does not exist. */
export async function readChunk(path: string, from: number, length: number): Promise<FileChunk | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { size, mtimeMs } = await file.stat();
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - from)));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
        if (bytesRead === 0) break; // it was truncated meanwhile
        filled += bytesRead;
      }
      return { bytes: bytes.subarray(0, filled), size, modifiedAt: Math.trunc(mtimeMs) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
