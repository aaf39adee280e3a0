import type { Disk, DiskEntry, DiskFacts } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { isInside, joinPath, resolvePath } from '../../../platform/core/path.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** Larger texts are read line by line. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** A test directory that records fingerprints of what was read. Paths are relative and stay inside. */
export interface RecordedFolder {
  text(path: string): Promise<string | undefined>;
  /** Bytes of a file of any size. */
  chunks(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Sorted; empty for a missing folder. */
  list(path: string): Promise<readonly DiskEntry[]>;
  seen(): Fingerprints;
}

export function recordFolder(dir: string, disk: Disk, now: number): RecordedFolder {
  const fingerprints = new Map<string, Fingerprint>();
  const lists = new Map<string, Promise<readonly DiskEntry[]>>();
  const record = async (path: string) => {
    const full = confined(dir, path);
    const facts = await disk.stat(full);
    if (facts === undefined) fingerprints.set(path, ['-', path]);
    else if (facts.type !== 'file') {
      throw new NightmarkError('MATRIX_NO_FILE', `${path} is not a file.`, { hint: 'Only files are read.' });
    } else fingerprints.set(path, ['f', path, facts.size, facts.modifiedAt, facts.changedAt, '']);
    return { full, facts };
  };
  return {
    async text(path) {
      const { full, facts } = await record(path);
      if (facts === undefined) return undefined;
      const text = await disk.readText(full, { within: dir, maxBytes: MAX_TEXT_BYTES });
      const hash = text !== undefined && text.length <= HASHED_CHARACTERS ? textHash(text) : '';
      fingerprints.set(path, ['f', path, facts.size, facts.modifiedAt, facts.changedAt, hash]);
      return text;
    },
    async chunks(path) {
      const { full, facts } = await record(path);
      if (facts === undefined) return undefined;
      await requireInside(full, dir, disk);
      return disk.readChunks(full);
    },
    list(path) {
      const cached = lists.get(path);
      if (cached) return cached;
      const listing = listFolder(path);
      lists.set(path, listing);
      return listing;
    },
    seen: () => ({ at: now, looks: [...fingerprints.values()] }),
  };

  async function listFolder(path: string): Promise<readonly DiskEntry[]> {
    const full = confined(dir, path);
    const facts = await disk.stat(full);
    if (facts?.type !== 'folder') {
      fingerprints.set(`${path}/`, ['-', path]);
      return [];
    }
    if (path !== '') await requireInside(full, dir, disk);
    const entries = await disk.list(full);
    fingerprints.set(`${path}/`, ['d', path, facts.modifiedAt, facts.changedAt, listingHash(entries)]);
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

async function requireInside(full: string, dir: string, disk: Disk): Promise<void> {
  const real = await disk.realPath(full);
  if (isInside(real, await disk.realPath(dir))) return;
  throw new NightmarkError('DISK_ESCAPES', `${full} is a link that leaves its folder: it leads to ${real}.`, {
    hint: `Put the file itself into ${dir}.`,
  });
}

/**
 * The state of one path of a test directory: missing; a file with size, times and, when it is small, hash of its text; a
 * folder with its times and the hash of its listing.
 */
export type Fingerprint =
  | readonly ['-', path: string]
  | readonly ['f', path: string, size: number, modifiedAt: number, changedAt: number, hash: string]
  | readonly ['d', path: string, modifiedAt: number, changedAt: number, hash: string];

/** Fingerprints, and the time before they were taken. `looks` is the key in cache files. */
export interface Fingerprints {
  readonly at: number;
  readonly looks: readonly Fingerprint[];
}

/** Text up to this length is hashed: reading it again is cheaper than parsing a test again. */
const HASHED_CHARACTERS = 256 * 1024;
/** File systems store times in steps of up to two seconds: a file can change within a step unnoticed. */
const TIME_STEP_MS = 2_000;

function listingHash(entries: readonly DiskEntry[]): string {
  return textHash(entries.map(({ name, type }) => `${type[0]}${name}`).join('\0'));
}

/** Times of a file or folder, and the time before they were read. */
export interface ObservedTimes {
  readonly at: number;
  readonly modifiedAt: number;
  readonly changedAt: number;
}

/** Whether the times are the recorded ones, and old enough to be reliable. */
export function isUntouched(facts: DiskFacts, { at, modifiedAt, changedAt }: ObservedTimes): boolean {
  if (facts.modifiedAt !== modifiedAt || facts.changedAt !== changedAt) return false;
  return modifiedAt < at - TIME_STEP_MS;
}

/**
 * Whether everything is as it was recorded: 'same'; 'touched', when contents are the same but times are not, or were too
 * recent to be reliable; or 'changed'.
 */
export async function compareFingerprints(
  dir: string,
  { at, looks }: Fingerprints,
  disk: Disk,
): Promise<'same' | 'touched' | 'changed'> {
  let isTouched = false;
  for (const fingerprint of looks) {
    const path = joinPath(dir, fingerprint[1]);
    const facts = await disk.stat(path);
    if (fingerprint[0] === '-') {
      if (facts !== undefined) return 'changed';
      continue;
    }
    const [modifiedAt, changedAt, hash] =
      fingerprint[0] === 'f'
        ? [fingerprint[3], fingerprint[4], fingerprint[5]]
        : [fingerprint[2], fingerprint[3], fingerprint[4]];
    if (facts?.type !== (fingerprint[0] === 'f' ? 'file' : 'folder')) return 'changed';
    if (fingerprint[0] === 'f' && facts.size !== fingerprint[2]) return 'changed';
    if (isUntouched(facts, { at, modifiedAt, changedAt })) continue;
    isTouched = true;
    if (hash === '' || (await currentHash(path, fingerprint[0], disk)) !== hash) return 'changed';
  }
  return isTouched ? 'touched' : 'same';
}

/** The fingerprints with the current times, after 'touched'. */
export async function refreshFingerprints(
  dir: string,
  { looks }: Fingerprints,
  effects: Refreshing,
): Promise<Fingerprints> {
  const at = effects.now;
  const fresh: Fingerprint[] = [];
  for (const fingerprint of looks) {
    const facts = fingerprint[0] === '-' ? undefined : await effects.disk.stat(joinPath(dir, fingerprint[1]));
    if (facts === undefined || fingerprint[0] === '-') fresh.push(fingerprint);
    else if (fingerprint[0] === 'f')
      fresh.push(['f', fingerprint[1], fingerprint[2], facts.modifiedAt, facts.changedAt, fingerprint[5]]);
    else fresh.push(['d', fingerprint[1], facts.modifiedAt, facts.changedAt, fingerprint[4]]);
  }
  return { at, looks: fresh };
}

interface Refreshing {
  readonly disk: Disk;
  readonly now: number;
}

/** Checks data of a cache file, which anyone may have written. */
export function isFingerprints(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || typeof value['at'] !== 'number') return false;
  const { looks } = value;
  return Array.isArray(looks) && looks.every(isFingerprint);
}

/** Called for every path of every test, so it allocates nothing. */
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
