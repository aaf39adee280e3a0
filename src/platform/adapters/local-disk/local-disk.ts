import * as fs from 'node:fs';
import { dirname } from 'node:path';
import type { Disk, DiskEntry } from '../../core/disk.ts';
import { isMissing, refuseEscape, statIfThere, tooLarge, withDiskErrors } from './disk-failures.ts';
import { readChunks, readEnds, readFrom, readLineBlocks } from './disk-read.ts';
import { copyTree, fingerprint, makeDir, removeTree, syncPaths } from './disk-trees.ts';
import { openWriter, writeWhole } from './disk-write.ts';

/**
 * The local file system. Small operations are synchronous inside: on this path a system call takes microseconds
 * and a turn through the thread pool ten times that, for every stage of every experiment.
 */
const localDisk: Disk = {
  readText: async (path, { maxBytes = 512 * 1024 * 1024, within } = {}) =>
    withDiskErrors(path, () => {
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

  readEnds: async (path, options) => withDiskErrors(path, () => readEnds(path, options)),

  readFrom: async (path, offset, bytes) => withDiskErrors(path, () => readFrom(path, offset, bytes)),

  readChunks: async (path) => withDiskErrors(path, () => readChunks(path)),
  readLineBlocks: async (path) => withDiskErrors(path, () => readLineBlocks(path)),

  writeText: async (path, text, options = {}) => withDiskErrors(path, () => writeWhole(path, text, options)),
  writeBytes: async (path, bytes) => withDiskErrors(path, () => writeWhole(path, bytes, {})),

  list: async (dir) =>
    withDiskErrors(dir, () => {
      try {
        return fs.readdirSync(dir, { withFileTypes: true }).map(toEntry).sort(byName);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    }),

  stat: async (path) =>
    withDiskErrors(path, () => {
      const facts = statIfThere(path);
      if (!facts) return undefined;
      const type = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
      const { size, mtimeMs, ctimeMs, mode } = facts;
      return { type, size, modifiedAt: mtimeMs, changedAt: ctimeMs, mode: mode & 0o7777 };
    }),

  isExecutable: async (path) =>
    withDiskErrors(path, () => {
      const facts = statIfThere(path);
      // Root may "access" everything: the bit itself decides, as in os.access for a user.
      return facts?.isFile() === true && (facts.mode & 0o111) !== 0;
    }),

  realPath: async (path) => withDiskErrors(path, () => fs.realpathSync(path)),
  makeDir: async (path) => withDiskErrors(path, () => makeDir(path)),
  remove: async (path) => withDiskErrors(path, () => removeTree(path)),
  rename: async (from, to) => withDiskErrors(to, () => fs.renameSync(from, to)),
  copyTree: async (from, to) => withDiskErrors(to, () => copyTree(from, to)),
  sync: async (paths) => withDiskErrors(paths[0] ?? '', () => syncPaths(paths)),
  fingerprint: async (roots, isIgnored) =>
    withDiskErrors(roots[0] ?? '', () => fingerprint(roots, isIgnored)),

  openWriter: async (path) => withDiskErrors(path, () => openWriter(path)),

  openJournal: async (path) =>
    withDiskErrors(path, () => {
      makeDir(dirname(path));
      const file = fs.openSync(path, 'a');
      return {
        append: (text) => withDiskErrors(path, () => void fs.writeSync(file, text)),
        flush: () => withDiskErrors(path, () => fs.fdatasyncSync(file)),
        close: () => fs.closeSync(file),
      };
    }),
};

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

export default localDisk;
