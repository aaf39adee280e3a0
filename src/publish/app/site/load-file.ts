import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PutFile } from '../../core/site/publisher.ts';
import type { SiteFile } from '../../core/site/site-map.ts';

/** SHA-256, from outside: core and app have no crypto of their own that is fast enough for pictures. */
export interface Hash {
  update(bytes: Uint8Array): void;
  /** In hexadecimal. */
  digest(): string;
}
export type NewHash = () => Hash;

export interface ByteTools {
  readonly newHash: NewHash;
  /** A text in UTF-8. */
  encode(text: string): Uint8Array;
}

export type Loaded = Omit<PutFile, 'path'>;

/** Files up to this size are held while they are written, so that they are made once; larger ones are read twice. */
const HELD_BYTES = 4 * 1024 * 1024;

export async function loadFile(file: SiteFile, newHash: NewHash): Promise<Loaded> {
  const hash = newHash();
  let size = 0;
  let held: Uint8Array[] | undefined = [];
  for await (const piece of file.bytes()) {
    hash.update(piece);
    size += piece.length;
    if (size > HELD_BYTES) held = undefined;
    // A piece may be valid only until the next one is read.
    held?.push(piece.slice());
  }
  const sha256 = hash.digest();
  const pieces = held;
  return { size, sha256, bytes: pieces ? () => each(pieces) : () => checked(file, sha256, newHash) };
}

/** A hash that is short and still unique in practice. */
export function hashText(text: string, tools: ByteTools): string {
  return hashBytes(tools.encode(text), tools);
}

export function hashBytes(bytes: Uint8Array, { newHash }: Pick<ByteTools, 'newHash'>): string {
  const hash = newHash();
  hash.update(bytes);
  return hash.digest().slice(0, 32);
}

export function loadText(text: string, { newHash, encode }: ByteTools): Loaded {
  const bytes = encode(text);
  const hash = newHash();
  hash.update(bytes);
  return { size: bytes.length, sha256: hash.digest(), bytes: () => each([bytes]) };
}

/** Reads the bytes once more; they must be the same, as the name holds their hash. */
export async function* checked(file: SiteFile, sha256: string, newHash: NewHash): AsyncIterable<Uint8Array> {
  const hash = newHash();
  for await (const piece of file.bytes()) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest() === sha256) return;
  throw new NightmarkError('PUBLISH_CHANGED', `${file.path} changed while it was published.`, {
    hint: 'The earlier site is still in place. Publish again when nothing writes into the home.',
  });
}

async function* each(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}
