import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Disk, DiskEntry } from '../../../core/ports/disk.ts';
import { readEnds } from './ends.ts';
import { explained, isMissing, refuseEscape, tooLarge } from './failures.ts';
import { fingerprint } from './fingerprint.ts';
import { copyTree, syncTree } from './trees.ts';

/**
 * The local file system. Small operations are synchronous inside: on this path a system call takes microseconds
 * and a turn through the thread pool ten times that, for every stage of every experiment.
 */
export const localDisk: Disk = {
  readText: async (path, { maxBytes = 512 * 1024 * 1024, within } = {}) =>
    explained(path, () => {
      try {
        if (within !== undefined) refuseEscape(path, within);
        const { size } = fs.statSync(path);
        if (size > maxBytes) throw tooLarge(path, size, maxBytes);
        return fs.readFileSync(path, 'utf8');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    }),

  readEnds: async (path, options) => explained(path, () => readEnds(path, options)),

  writeText: async (path, text, { durable = false } = {}) =>
    explained(path, () => {
      try {
        writeWhole(path, text, durable);
      } catch (error) {
        if (!isMissing(error)) throw error;
        fs.mkdirSync(dirname(path), { recursive: true });
        writeWhole(path, text, durable);
      }
    }),

  list: async (dir) =>
    explained(dir, () => {
      try {
        return fs.readdirSync(dir, { withFileTypes: true }).map(toEntry).sort(byName);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    }),

  stat: async (path) =>
    explained(path, () => {
      const facts = fs.statSync(path, { throwIfNoEntry: false });
      if (!facts) return undefined;
      const type = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
      return { type, size: facts.size, modifiedAt: facts.mtimeMs, mode: facts.mode & 0o7777 };
    }),

  isExecutable: async (path) => {
    const facts = fs.statSync(path, { throwIfNoEntry: false });
    // Root may "access" everything: the bit itself decides, as in os.access for a user.
    return facts?.isFile() === true && (facts.mode & 0o111) !== 0;
  },

  realPath: async (path) => explained(path, () => fs.realpathSync(path)),
  makeDir: async (path) => explained(path, () => void fs.mkdirSync(path, { recursive: true })),
  remove: async (path) =>
    explained(path, () => fs.rmSync(path, { recursive: true, force: true, maxRetries: 3 })),
  rename: async (from, to) => explained(to, () => fs.renameSync(from, to)),
  copyTree: async (from, to) => explained(to, () => copyTree(from, to)),
  syncTree: async (dir) => explained(dir, () => syncTree(dir)),
  fingerprint: async (roots, isIgnored) => explained(roots[0] ?? '', () => fingerprint(roots, isIgnored)),

  openJournal: async (path) =>
    explained(path, () => {
      fs.mkdirSync(dirname(path), { recursive: true });
      const file = fs.openSync(path, 'a');
      return {
        append: (text) =>
          explained(path, () => {
            fs.writeSync(file, text);
            fs.fdatasyncSync(file);
          }),
        close: () => fs.closeSync(file),
      };
    }),
};

let writes = 0;

function writeWhole(path: string, text: string, durable: boolean): void {
  const temporary = join(dirname(path), `.nightmark-${process.pid}-${writes++}.tmp`);
  try {
    const file = fs.openSync(temporary, 'wx');
    try {
      fs.writeFileSync(file, text);
      if (durable) fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temporary, path);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

function syncFolder(dir: string): void {
  const folder = fs.openSync(dir, 'r');
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

function toEntry(entry: fs.Dirent): DiskEntry {
  const type = entry.isSymbolicLink()
    ? 'link'
    : entry.isFile()
      ? 'file'
      : entry.isDirectory()
        ? 'folder'
        : 'other';
  return { name: entry.name, type };
}

const byName = (a: DiskEntry, b: DiskEntry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
