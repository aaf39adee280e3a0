import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import type { LockOutcome } from '../../../../platform/core/lock.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import type { Publication, Publisher, PublisherOptions, PutFile } from '../../../core/site/publisher.ts';
import { isForeignName, OWN_FOLDER, ROOT_PATH } from '../../../core/site/site-map.ts';
import { InFlight } from '../in-flight.ts';

/** A folder: of a web server, a network drive, or to be opened from disk. */
const directory: Publisher = {
  id: 'directory',
  title: 'a folder',
  scheme: 'dir',
  capabilities: { isWhole: false, isRemote: false },
  async open(target, options) {
    if (target === '') {
      throw new NightmarkError('PUBLISH_BAD_TARGET', 'dir: names no folder.', {
        hint: 'For example dir:/var/www/bench.',
      });
    }
    const root = resolve(options.cwd, target);
    return explainDisk(root, () => openFolder(root, options));
  },
};

async function openFolder(root: string, { mode, locks, holder }: PublisherOptions): Promise<Publication> {
  const own = join(root, OWN_FOLDER);
  const marker = join(own, 'publishing');
  const names = await namesIn(root);
  const lock = mode === 'write' ? await locks.acquire(join(own, 'lock'), { ...holder }) : undefined;
  if (lock?.state === 'held') throw busy(root, lock.holder);
  const wasInterrupted = await exists(marker);
  if (lock) await writeFile(marker, `${JSON.stringify(holder)}\n`);
  const hasSite = names.includes(ROOT_PATH) || wasInterrupted;
  return new FolderPublication({
    root,
    marker,
    lock,
    wasInterrupted,
    holdsOther: !hasSite && names.some(isForeignName),
  });
}

interface Opened {
  readonly root: string;
  readonly marker: string;
  readonly lock: LockOutcome | undefined;
  readonly wasInterrupted: boolean;
  readonly holdsOther: boolean;
}

/** A disk syncs many files in the time that it needs for one. */
const AT_ONCE = 32;

class FolderPublication implements Publication {
  readonly holdsOther: boolean;
  readonly wasInterrupted: boolean;
  readonly #opened: Opened;
  /** Folders that are there, and those whose entries have to be synced before the commit. */
  readonly #folders = new Set<string>();
  readonly #writes = new InFlight(AT_ONCE);
  #count = 0;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.holdsOther = opened.holdsOther;
    this.wasInterrupted = opened.wasInterrupted;
  }

  async read(path: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#opened.root, path), 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      return explainDisk(path, () => Promise.reject(error));
    }
  }

  put(file: PutFile): Promise<void> {
    return this.#writes.start(() => this.#write(file));
  }

  async remove(paths: readonly string[]): Promise<void> {
    const { root } = this.#opened;
    const folders = new Set<string>();
    for (const path of paths) {
      await explainDisk(path, () => rm(join(root, path), { force: true }));
      folders.add(dirname(path));
    }
    for (const folder of folders) await removeEmpty(root, folder);
  }

  async commit(files: readonly PutFile[]): Promise<void> {
    await this.#writes.drain();
    for (const folder of this.#folders)
      await this.#writes.start(() => explainDisk(folder, () => syncPath(folder)));
    await this.#writes.drain();
    for (const file of files) {
      await this.#write(file);
      await explainDisk(this.#opened.root, () => syncPath(this.#opened.root));
    }
  }

  async *list(): AsyncIterable<string> {
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const entries = await readdir(join(this.#opened.root, folder), { withFileTypes: true });
      for (const entry of entries) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (path === OWN_FOLDER) continue;
        if (entry.isDirectory()) folders.push(path);
        else yield path;
      }
    }
  }

  async close(outcome: 'done' | 'given-up'): Promise<void> {
    const { lock, marker } = this.#opened;
    await this.#writes.end();
    if (lock?.state !== 'acquired') return;
    try {
      if (outcome === 'done') await tidy(dirname(marker));
    } finally {
      lock.release();
    }
  }

  /** Under another name first: a reader sees the file before or after, and never a part of it. */
  async #write({ path, bytes }: PutFile): Promise<void> {
    const place = join(this.#opened.root, path);
    await explainDisk(place, () => this.#writeWhole(place, bytes()));
  }

  async #writeWhole(place: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const folder = dirname(place);
    if (!this.#folders.has(folder)) await mkdir(folder, { recursive: true });
    this.#folders.add(folder);
    const temporary = join(dirname(this.#opened.marker), `unfinished-${this.#count++}`);
    const file = await open(temporary, 'w', 0o644);
    try {
      for await (const piece of bytes) await file.writeFile(piece);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, place);
  }
}

/** The marker, and files that an earlier publication did not finish. */
async function tidy(own: string): Promise<void> {
  const left = (await readdir(own)).filter((name) => name.startsWith('unfinished-'));
  for (const name of [...left, 'publishing']) await rm(join(own, name), { force: true });
}

async function namesIn(root: string): Promise<readonly string[]> {
  try {
    return await readdir(root);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Folders of ours that have nothing in them any more, from below; the target itself stays. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.' && path !== ''; path = dirname(path)) {
    try {
      await rmdir(join(root, path));
    } catch {
      return; // not empty, or gone already
    }
  }
}

async function syncPath(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export default directory;

function busy(target: string, holder: JsonObject): NightmarkError {
  const { host, processId } = holder;
  const who = typeof host === 'string' ? ` (process ${String(processId)} on ${host})` : '';
  return new NightmarkError('PUBLISH_BUSY', `Somebody else is publishing to ${target}${who}.`, {
    hint: 'Nothing was changed. Publish again when that is done.',
  });
}

/** Failures of the disk with the path they are about. */
async function explainDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NightmarkError || !(error instanceof Error) || !('code' in error)) throw error;
    throw new NightmarkError('PUBLISH_FAILED', `${path} could not be written or read: ${messageOf(error)}`, {
      hint: 'The earlier site is still in place. Check free space and permissions there.',
      cause: error,
    });
  }
}
