import * as fs from 'node:fs';
import type { Pack } from 'tar-stream';
import type { PackRequest } from '../../core/archiver.ts';
import { replaceText } from './replace-text.ts';
import { systemFailure } from './tar-failures.ts';
import { type TarHeader, toHeader } from './tar-header.ts';
import type { Found } from './walk-tree.ts';

/** Something that a person should know about an entry. */
export interface Note {
  readonly text: string;
  /** The entry is not in the archive at all. */
  readonly isLeftOut: boolean;
}

/**
 * Adds a regular file. The header says its size before its content is read: when the file changes meanwhile, the
 * content is cut or filled up with zeros, as tar does, so that the rest of the archive stays readable.
 */
export async function addFile(tar: Pack, request: PackRequest, found: Found): Promise<Note | undefined> {
  const { constants } = fs;
  // No link and no pipe that took the file's place meanwhile.
  const file = fs.openSync(found.place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = fs.fstatSync(file);
    if (!facts.isFile()) return { text: `${found.place} is not a file any more.`, isLeftOut: true };
    const { size: fileSize } = facts;
    const bytes = () => new FileContent(file, fileSize).all();
    const replaced = request.replace && replaceText(request.replace, found.path, { size: fileSize, bytes });
    const size = replaced?.byteLength ?? fileSize;
    const content = new FileContent(file, size);
    const header = toHeader({ name: entryName(request, found), type: 'file', facts, size });
    if (replaced !== undefined || size <= PIECE_BYTES) {
      await addWhole(tar, header, replaced ?? content.next());
    } else {
      await addPieces(tar, header, content);
    }
    if (content.missing > 0 && replaced === undefined) {
      return { text: `${found.place} got shorter while it was read.`, isLeftOut: false };
    }
    return undefined;
  } finally {
    fs.closeSync(file);
  }
}

export function entryName({ name }: PackRequest, { path, place }: Found): string {
  if (name === undefined) return place.slice(1);
  return path === '' ? name : `${name}/${path}`;
}

function addWhole(tar: Pack, header: TarHeader, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry(header, content, (error) => (error ? reject(error) : resolve()));
  });
}

async function addPieces(tar: Pack, header: TarHeader, content: FileContent): Promise<void> {
  let finish: (error?: Error | null) => void = () => {};
  const finished = new Promise<void>((resolve, reject) => {
    finish = (error) => (error ? reject(error) : resolve());
  });
  finished.catch(() => {}); // reported below, in the race or at the end
  const sink = tar.entry(header, (error) => finish(error));
  sink.on('error', finish);
  while (!content.isDone) {
    const drained = new Promise<void>((resolve) => sink.once('drain', () => resolve()));
    if (!sink.write(nextPiece(content, header.name))) await Promise.race([drained, finished]);
  }
  sink.end(undefined);
  await finished;
}

// Behind the header there is no way to leave the file out: a failure ends the archive.
function nextPiece(content: FileContent, name: string): Buffer {
  try {
    return content.next();
  } catch (error) {
    throw systemFailure(`/${name}`, error);
  }
}

const PIECE_BYTES = 1024 * 1024;

/** Exactly `size` bytes of a file, in pieces. Read at positions: the text of the file may have been read before. */
class FileContent {
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
