import * as fs from 'node:fs';
import type { UnpackRequest } from '../../../core/archiver.ts';
import type { EntryContent } from './read-entries.ts';
import { decodeText } from './text.ts';

interface FileToWrite {
  readonly place: string;
  readonly path: string;
  readonly size: number;
  readonly content: EntryContent;
  readonly replace: UnpackRequest['replace'];
}

/** Texts that somebody might want to replace are held in memory; everything larger only passes through. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export async function writeContent({ place, path, size, content, replace }: FileToWrite): Promise<void> {
  // Nobody else may read it before its own mode is set.
  const file = fs.openSync(place, 'wx', 0o600);
  try {
    if (replace && size <= MAX_TEXT_BYTES) {
      const pieces: Buffer[] = [];
      for await (const piece of content) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      fs.writeFileSync(file, replaced(bytes, path, replace) ?? bytes);
    } else {
      for await (const piece of content) fs.writeFileSync(file, piece);
    }
  } finally {
    fs.closeSync(file);
  }
}

function replaced(
  bytes: Buffer,
  path: string,
  replace: NonNullable<UnpackRequest['replace']>,
): Buffer | undefined {
  let encoding: BufferEncoding = 'utf8';
  const text = () => {
    const decoded = decodeText(bytes);
    encoding = decoded.encoding;
    return decoded.text;
  };
  const result = replace(path, text, bytes.byteLength);
  return result === undefined ? undefined : Buffer.from(result, encoding);
}
