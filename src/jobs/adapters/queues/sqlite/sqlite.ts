import { createReadStream, mkdirSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { JobQueue } from '../../../core/job-queue.ts';
import { checkHash, type Packages, sqlQueue } from '../sql-queue.ts';
import { SqliteDatabase } from './sqlite-database.ts';

export interface SqliteQueueOptions {
  /** The file; packages lie beside it in `jobs/code`. */
  readonly place: string;
  /** Milliseconds since 1970; all processes of a machine share it. */
  readonly now?: () => number;
}

/** Jobs of a home in one file, for all processes of one machine. */
async function openSqliteQueue({ place, now = Date.now }: SqliteQueueOptions): Promise<JobQueue> {
  const file = resolve(place);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = await SqliteDatabase.open(file);
  const packages = packageFiles(join(dirname(file), 'jobs', 'code'), now);
  return sqlQueue({ id: 'sqlite', database, packages, now });
}

export default openSqliteQueue;

const ENDING = '.tgz';

/** Packages as files of a folder, each whole or not there. The time of a file is when it was saved last. */
function packageFiles(folder: string, now: () => number): Packages {
  const fileOf = (hash: string) => join(folder, `${checkHash(hash)}${ENDING}`);
  const touch = (file: string) => utimes(file, now() / 1000, now() / 1000);
  return {
    async savePackage(hash, bytes) {
      const file = fileOf(hash);
      if (await isFile(file)) return touch(file);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
      try {
        await writeWhole(temporary, bytes);
        await touch(temporary);
        await rename(temporary, file);
      } finally {
        await rm(temporary, { force: true });
      }
    },
    hasPackage: (hash) => isFile(fileOf(hash)),
    async package(hash) {
      const file = fileOf(hash);
      return (await isFile(file)) ? createReadStream(file) : undefined;
    },
    async unsavedSince(time) {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const old: string[] = [];
      for (const name of names.sort()) {
        const isOld = ((await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? time) < time;
        if (!isOld) continue;
        if (name.endsWith(ENDING)) old.push(name.slice(0, -ENDING.length));
        // Left behind by a process that died while it wrote.
        else if (name.endsWith('.tmp')) await rm(join(folder, name), { force: true });
      }
      return old.filter((hash) => /^[0-9a-f]{8,128}$/.test(hash));
    },
    async remove(hash, unsavedSince) {
      const file = fileOf(hash);
      if (((await stat(file).catch(() => undefined))?.mtimeMs ?? unsavedSince) >= unsavedSince) return false;
      await rm(file, { force: true });
      return true;
    },
  };
}

async function writeWhole(file: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of bytes) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? false;
}
