import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { DownloadTarget, PartialFile } from '../core/download-target.ts';

/**
 * The folder that downloaded files go to; it is made when the first file comes. Links are never followed on the way to a
 * file, and unfinished files are kept in `.nightmark/parts`.
 */
export function openDownloadTarget(dir: string): DownloadTarget {
  return {
    sizeOf: (path) =>
      withErrors(join(dir, path), async () => {
        for (const folder of foldersOf(path)) {
          if (!(await folderFacts(join(dir, folder)))) return undefined;
        }
        const facts = await factsOf(join(dir, path));
        if (facts?.isFile() === false) throw blockedError(join(dir, path), 'is not a file');
        return facts?.size;
      }),

    writeText: (path, text) =>
      withErrors(join(dir, path), async () => {
        const file = await targetPath(dir, path);
        const draft = join(await makeFolders(dir, '.nightmark/parts/x'), `text-${process.pid}`);
        const handle = await open(draft, 'w');
        try {
          await handle.writeFile(text);
        } finally {
          await handle.close();
        }
        await rename(draft, file);
      }),

    openPart: (path) =>
      withErrors(join(dir, path), async () => {
        await targetPath(dir, path);
        const parts = await makeFolders(dir, '.nightmark/parts/x');
        return openPartialFile({ path, parts, place: () => targetPath(dir, path) });
      }),
  };
}

/** Makes the folders above a file and checks that nothing else has its name. */
async function targetPath(dir: string, path: string): Promise<string> {
  await makeFolders(dir, path);
  const file = join(dir, path);
  if ((await factsOf(file))?.isFile() === false) throw blockedError(file, 'is not a file');
  return file;
}

/** Component by component: a link on the way could lead anywhere. */
async function makeFolders(dir: string, path: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  for (const folder of foldersOf(path)) {
    const full = join(dir, folder);
    if (!(await folderFacts(full))) await mkdir(full).catch(ignoreExisting);
  }
  return dirname(join(dir, path));
}

/** Several files are downloaded at once: another one may have made the folder. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

async function folderFacts(path: string): Promise<Stats | undefined> {
  const facts = await factsOf(path);
  if (facts?.isDirectory() === false)
    throw blockedError(path, facts.isSymbolicLink() ? 'is a link' : 'is not a folder');
  return facts;
}

async function factsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

interface PartLocation {
  readonly path: string;
  /** Folder of unfinished files. */
  readonly parts: string;
  /** The final path of the file; checked again at each call. */
  place(): Promise<string>;
}

const FLAGS = constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;

/** An unfinished file, and beside it the tag of what it is a part of. */
async function openPartialFile({ path, parts, place }: PartLocation): Promise<PartialFile> {
  const file = join(parts, `${createHash('sha256').update(path).digest('hex').slice(0, 40)}.part`);
  const tagFile = `${file}.tag`;
  const tag = await readTag(tagFile);
  const handle = await open(file, FLAGS, 0o666);
  // Without its tag, nothing says which version of the file the bytes belong to.
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
      withErrors(file, async () => {
        await rm(tagFile, { force: true });
        await handle.truncate(0);
        size = 0;
        if (next !== undefined) await writeFile(tagFile, next, { flag: 'wx' });
      }),
    append: (bytes) =>
      withErrors(path, async () => {
        await writeAll(handle, bytes, size);
        size += bytes.length;
      }),
    finish: () =>
      withErrors(path, async () => {
        await handle.truncate(size);
        await close();
        await rename(file, await place());
        await rm(tagFile, { force: true });
      }),
    // An empty part cannot be resumed, so it is removed; a finished one is closed already.
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

/** Turns an error of the system into one that a user can act on. */
async function withErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NightmarkError ? error : toNightmarkError(path, error);
  }
}

function blockedError(path: string, why: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_BLOCKED', `${path} ${why}; nothing is written there.`, {
    hint: 'Remove it, or download into another folder.',
  });
}

function toNightmarkError(path: string, error: unknown): NightmarkError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new NightmarkError('DISK_FULL', `No space left for ${path}.`, {
      hint: 'Free some space and start again: what was downloaded is kept.',
      cause: error,
    });
  }
  if (code === 'ELOOP') return blockedError(path, 'is a link');
  if (code === 'ENAMETOOLONG') return blockedError(path, 'has a name that is too long for this disk');
  return new NightmarkError('DISK_FAILED', `${path}: ${message}`, { cause: error });
}
