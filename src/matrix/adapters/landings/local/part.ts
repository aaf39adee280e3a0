import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LandingPart } from '../../../core/landing.ts';
import { explained } from './failures.ts';

interface PartPlace {
  readonly path: string;
  /** Folder of unfinished files. */
  readonly parts: string;
  /** Where the file comes to be; looks again whether it may. */
  place(): Promise<string>;
}

const FLAGS = constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;

/** An unfinished file, and beside it the tag of what it is a part of. */
export async function openPart({ path, parts, place }: PartPlace): Promise<LandingPart> {
  const file = join(parts, `${createHash('sha256').update(path).digest('hex').slice(0, 40)}.part`);
  const tagFile = `${file}.tag`;
  const tag = await readTag(tagFile);
  const handle = await open(file, FLAGS, 0o666);
  // Bytes of which nobody knows what they are a part of are of no use.
  let size = tag === undefined ? 0 : (await handle.stat()).size;
  let isOpen = true;
  const close = async () => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    size,
    tag,
    restart: (next) =>
      explained(file, async () => {
        await rm(tagFile, { force: true });
        await handle.truncate(0);
        size = 0;
        if (next !== undefined) await writeFile(tagFile, next, { flag: 'wx' });
      }),
    append: (bytes) =>
      explained(path, async () => {
        await writeAll(handle, bytes, size);
        size += bytes.length;
      }),
    finish: () =>
      explained(path, async () => {
        await handle.truncate(size);
        await close();
        await rename(file, await place());
        await rm(tagFile, { force: true });
      }),
    // A part of nothing helps nobody to go on; finished ones are closed already.
    close: async () => {
      const isUseless = isOpen && size === 0;
      await close();
      if (isUseless) for (const left of [file, tagFile]) await rm(left, { force: true });
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function readTag(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
