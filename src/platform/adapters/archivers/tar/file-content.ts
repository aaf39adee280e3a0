import * as fs from 'node:fs';

export const PIECE_BYTES = 1024 * 1024;

/** Exactly `size` bytes of a file, in pieces. Read at positions: the text of the file may have been read before. */
export class FileContent {
  readonly #file: number;
  readonly #size: number;
  #at = 0;
  /** Bytes that the file turned out not to have. */
  missing = 0;

  constructor(file: number, size: number) {
    this.#file = file;
    this.#size = size;
  }

  get isDone(): boolean {
    return this.#at >= this.#size;
  }

  all(): Buffer {
    const pieces: Buffer[] = [];
    while (!this.isDone) pieces.push(this.next());
    return Buffer.concat(pieces);
  }

  next(): Buffer {
    const chunk = Buffer.allocUnsafe(Math.min(PIECE_BYTES, this.#size - this.#at));
    let filled = 0;
    while (filled < chunk.byteLength) {
      const read = fs.readSync(this.#file, chunk, filled, chunk.byteLength - filled, this.#at + filled);
      if (read === 0) break;
      filled += read;
    }
    chunk.fill(0, filled);
    this.missing += chunk.byteLength - filled;
    this.#at += chunk.byteLength;
    return chunk;
  }
}
