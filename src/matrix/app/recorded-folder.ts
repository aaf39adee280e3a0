import type { Disk, DiskEntry } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isInside, joinPath, resolvePath } from '../../platform/core/path.ts';
import { textHash } from '../../platform/core/text/change-hash.ts';
import { HASHED_CHARACTERS, type Look, type Looks, listingHash } from './looks.ts';

/** Larger texts are read line by line. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** A test directory that remembers what was looked at. Paths are relative and stay inside. */
export interface RecordedFolder {
  text(path: string): Promise<string | undefined>;
  /** Bytes of a file of any size. */
  chunks(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Sorted; a missing folder has nothing in it. */
  list(path: string): Promise<readonly DiskEntry[]>;
  seen(): Looks;
}

export function recordFolder(dir: string, disk: Disk, now: number): RecordedFolder {
  const looks = new Map<string, Look>();
  const lists = new Map<string, Promise<readonly DiskEntry[]>>();
  const look = async (path: string) => {
    const full = confined(dir, path);
    const facts = await disk.stat(full);
    if (facts === undefined) looks.set(path, ['-', path]);
    else if (facts.type !== 'file') {
      throw new NightmarkError('MATRIX_NO_FILE', `${path} is no file.`, { hint: 'Only files are read.' });
    } else looks.set(path, ['f', path, facts.size, facts.modifiedAt, facts.changedAt, '']);
    return { full, facts };
  };
  return {
    async text(path) {
      const { full, facts } = await look(path);
      if (facts === undefined) return undefined;
      const text = await disk.readText(full, { within: dir, maxBytes: MAX_TEXT_BYTES });
      const hash = text !== undefined && text.length <= HASHED_CHARACTERS ? textHash(text) : '';
      looks.set(path, ['f', path, facts.size, facts.modifiedAt, facts.changedAt, hash]);
      return text;
    },
    async chunks(path) {
      const { full, facts } = await look(path);
      if (facts === undefined) return undefined;
      await refuseEscape(full, dir, disk);
      return disk.readChunks(full);
    },
    list(path) {
      const known = lists.get(path);
      if (known) return known;
      const listing = listFolder(path);
      lists.set(path, listing);
      return listing;
    },
    seen: () => ({ at: now, looks: [...looks.values()] }),
  };

  async function listFolder(path: string): Promise<readonly DiskEntry[]> {
    const full = confined(dir, path);
    const facts = await disk.stat(full);
    if (facts?.type !== 'folder') {
      looks.set(`${path}/`, ['-', path]);
      return [];
    }
    if (path !== '') await refuseEscape(full, dir, disk);
    const entries = await disk.list(full);
    looks.set(`${path}/`, ['d', path, facts.modifiedAt, facts.changedAt, listingHash(entries)]);
    return entries;
  }
}

function confined(dir: string, path: string): string {
  const full = path === '' ? dir : resolvePath(dir, path);
  if (!path.startsWith('/') && isInside(full, resolvePath(dir, ''))) return joinPath(full);
  throw new NightmarkError('MATRIX_OUTSIDE', `${path} is outside of the test directory.`, {
    hint: 'A workload reads the files of its test only: give paths relative to it.',
  });
}

async function refuseEscape(full: string, dir: string, disk: Disk): Promise<void> {
  const real = await disk.realPath(full);
  if (isInside(real, await disk.realPath(dir))) return;
  throw new NightmarkError('DISK_ESCAPES', `${full} is a link that leaves its folder: it leads to ${real}.`, {
    hint: `Put the file itself into ${dir}.`,
  });
}
