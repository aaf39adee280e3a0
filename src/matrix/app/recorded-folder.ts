import type { Disk, DiskEntry, DiskFacts } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { isInside, joinPath, resolvePath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { textHash } from '../../platform/core/text/text-hash.ts';

/** Larger texts are read line by line. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** A test directory that remembers what was looked at. Paths are relative and stay inside. */
export interface RecordedFolder {
  text(path: string): Promise<string | undefined>;
  /** Bytes of a file of any size. */
  chunks(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Sorted; a missing folder has nothing in it. */
  list(path: string): Promise<readonly DiskEntry[]>;
  seen(): Fingerprints;
}

export function recordFolder(dir: string, disk: Disk, now: number): RecordedFolder {
  const looks = new Map<string, Fingerprint>();
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

/**
 * What was seen of one path of a test directory: nothing there; a file with size, times and, when it is small, hash of its
 * text; a folder with its times and the hash of its listing.
 */
export type Fingerprint =
  | readonly ['-', path: string]
  | readonly ['f', path: string, size: number, modifiedAt: number, changedAt: number, hash: string]
  | readonly ['d', path: string, modifiedAt: number, changedAt: number, hash: string];

/** Looks together with the moment before they were taken. */
export interface Fingerprints {
  readonly at: number;
  readonly looks: readonly Fingerprint[];
}

/** Text up to this length is hashed: reading it again is cheaper than parsing a test again. */
const HASHED_CHARACTERS = 256 * 1024;
/** File systems tell times in steps of up to two seconds: a file can change within one and not show it. */
const TIME_STEP_MS = 2_000;

function listingHash(entries: readonly DiskEntry[]): string {
  return textHash(entries.map(({ name, type }) => `${type[0]}${name}`).join('\0'));
}

/** Times of a file or folder, and the moment before they were looked at. */
export interface ObservedTimes {
  readonly at: number;
  readonly modifiedAt: number;
  readonly changedAt: number;
}

/** Whether its times are those that were seen, and old enough to be relied upon. */
export function isUntouched(facts: DiskFacts, { at, modifiedAt, changedAt }: ObservedTimes): boolean {
  if (facts.modifiedAt !== modifiedAt || facts.changedAt !== changedAt) return false;
  return modifiedAt < at - TIME_STEP_MS;
}

/**
 * Whether everything still is as it was seen: 'same'; 'touched', when contents are the same but times are not, or were too
 * fresh to be relied upon; or 'changed'.
 */
export async function compareFingerprints(
  dir: string,
  { at, looks }: Fingerprints,
  disk: Disk,
): Promise<'same' | 'touched' | 'changed'> {
  let isTouched = false;
  for (const look of looks) {
    const path = joinPath(dir, look[1]);
    const facts = await disk.stat(path);
    if (look[0] === '-') {
      if (facts !== undefined) return 'changed';
      continue;
    }
    const [modifiedAt, changedAt, hash] =
      look[0] === 'f' ? [look[3], look[4], look[5]] : [look[2], look[3], look[4]];
    if (facts?.type !== (look[0] === 'f' ? 'file' : 'folder')) return 'changed';
    if (look[0] === 'f' && facts.size !== look[2]) return 'changed';
    if (isUntouched(facts, { at, modifiedAt, changedAt })) continue;
    isTouched = true;
    if (hash === '' || (await currentHash(path, look[0], disk)) !== hash) return 'changed';
  }
  return isTouched ? 'touched' : 'same';
}

/** The looks with the times of now, after 'touched'. */
export async function refreshFingerprints(
  dir: string,
  { looks }: Fingerprints,
  effects: Refreshing,
): Promise<Fingerprints> {
  const at = effects.now;
  const fresh: Fingerprint[] = [];
  for (const look of looks) {
    const facts = look[0] === '-' ? undefined : await effects.disk.stat(joinPath(dir, look[1]));
    if (facts === undefined || look[0] === '-') fresh.push(look);
    else if (look[0] === 'f') fresh.push(['f', look[1], look[2], facts.modifiedAt, facts.changedAt, look[5]]);
    else fresh.push(['d', look[1], facts.modifiedAt, facts.changedAt, look[4]]);
  }
  return { at, looks: fresh };
}

interface Refreshing {
  readonly disk: Disk;
  readonly now: number;
}

/** From a cache file that anyone may have written. */
export function isFingerprints(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || typeof value['at'] !== 'number') return false;
  const { looks } = value;
  return Array.isArray(looks) && looks.every(isFingerprint);
}

/** Called for every path of every test: makes nothing but the answer. */
function isFingerprint(value: JsonValue): boolean {
  if (!Array.isArray(value) || typeof value[1] !== 'string') return false;
  const [kind, , first, second, third, fourth] = value;
  if (kind === '-') return value.length === 2;
  if (typeof first !== 'number' || typeof second !== 'number') return false;
  if (kind === 'd') return value.length === 5 && typeof third === 'string';
  return kind === 'f' && value.length === 6 && typeof third === 'number' && typeof fourth === 'string';
}

async function currentHash(path: string, type: 'f' | 'd', disk: Disk): Promise<string | undefined> {
  if (type === 'd') return listingHash(await disk.list(path));
  const text = await disk.readText(path);
  return text === undefined ? undefined : textHash(text);
}
