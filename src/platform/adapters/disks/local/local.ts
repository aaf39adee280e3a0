import * as fs from 'node:fs';
import { dirname } from 'node:path';
import type { Disk, DiskEntry } from '../../../core/disk.ts';
import { readChunks, readLineBlocks } from './chunks.ts';
import { readEnds, readFrom } from './ends.ts';
import { explained, isMissing, refuseEscape, tooLarge } from './failures.ts';
import { fingerprint } from './fingerprint.ts';
import { statIfThere } from './stat-if-there.ts';
import { syncPaths } from './sync-paths.ts';
import { copyTree, makeDir, removeTree } from './trees.ts';
import { writeWhole } from './write-whole.ts';
import { openWriter } from './writer.ts';

/**
 * The local file system. Small operations are synchronous inside: on this path a system call takes microseconds
 * and a turn through the thread pool ten times that, for every stage of every experiment.
 */
const localDisk: Disk = {
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

  readFrom: async (path, offset, bytes) => explained(path, () => readFrom(path, offset, bytes)),

  readChunks: async (path) => explained(path, () => readChunks(path)),
  readLineBlocks: async (path) => explained(path, () => readLineBlocks(path)),

  writeText: async (path, text, options = {}) => explained(path, () => writeWhole(path, text, options)),
  writeBytes: async (path, bytes) => explained(path, () => writeWhole(path, bytes, {})),

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
      const facts = statIfThere(path);
      if (!facts) return undefined;
      const type = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
      const { size, mtimeMs, ctimeMs, mode } = facts;
      return { type, size, modifiedAt: mtimeMs, changedAt: ctimeMs, mode: mode & 0o7777 };
    }),

  isExecutable: async (path) =>
    explained(path, () => {
      const facts = statIfThere(path);
      // Root may "access" everything: the bit itself decides, as in os.access for a user.
      return facts?.isFile() === true && (facts.mode & 0o111) !== 0;
    }),

  realPath: async (path) => explained(path, () => fs.realpathSync(path)),
  makeDir: async (path) => explained(path, () => makeDir(path)),
  remove: async (path) => explained(path, () => removeTree(path)),
  rename: async (from, to) => explained(to, () => fs.renameSync(from, to)),
  copyTree: async (from, to) => explained(to, () => copyTree(from, to)),
  sync: async (paths) => explained(paths[0] ?? '', () => syncPaths(paths)),
  fingerprint: async (roots, isIgnored) => explained(roots[0] ?? '', () => fingerprint(roots, isIgnored)),

  openWriter: async (path) => explained(path, () => openWriter(path)),

  openJournal: async (path) =>
    explained(path, () => {
      makeDir(dirname(path));
      const file = fs.openSync(path, 'a');
      return {
        append: (text) => explained(path, () => void fs.writeSync(file, text)),
        flush: () => explained(path, () => fs.fdatasyncSync(file)),
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
