import type { Disk, DiskEntry, DiskFacts } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { textHash } from '../../platform/core/text/change-hash.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/**
 * What was seen of one path of a test directory: nothing there; a file with size, times and, when it is small, hash of its
 * text; a folder with its times and the hash of its listing.
 */
export type Look =
  | readonly ['-', path: string]
  | readonly ['f', path: string, size: number, modifiedAt: number, changedAt: number, hash: string]
  | readonly ['d', path: string, modifiedAt: number, changedAt: number, hash: string];

/** Looks together with the moment before they were taken. */
export interface Looks {
  readonly at: number;
  readonly looks: readonly Look[];
}

/** Text up to this length is hashed: reading it again is cheaper than parsing a test again. */
export const HASHED_CHARACTERS = 256 * 1024;
/** File systems tell times in steps of up to two seconds: a file can change within one and not show it. */
const TIME_STEP_MS = 2_000;

export function listingHash(entries: readonly DiskEntry[]): string {
  return textHash(entries.map(({ name, type }) => `${type[0]}${name}`).join('\0'));
}

/** Times of a file or folder, and the moment before they were looked at. */
export interface SeenTimes {
  readonly at: number;
  readonly modifiedAt: number;
  readonly changedAt: number;
}

/** Whether its times are those that were seen, and old enough to be relied upon. */
export function isUntouched(facts: DiskFacts, { at, modifiedAt, changedAt }: SeenTimes): boolean {
  if (facts.modifiedAt !== modifiedAt || facts.changedAt !== changedAt) return false;
  return modifiedAt < at - TIME_STEP_MS;
}

/**
 * Whether everything still is as it was seen: 'same'; 'touched', when contents are the same but times are not, or were too
 * fresh to be relied upon; or 'changed'.
 */
export async function compareLooks(
  dir: string,
  { at, looks }: Looks,
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
    if (hash === '' || (await hashNow(path, look[0], disk)) !== hash) return 'changed';
  }
  return isTouched ? 'touched' : 'same';
}

/** The looks with the times of now, after 'touched'. */
export async function refreshLooks(dir: string, { looks }: Looks, effects: Refreshing): Promise<Looks> {
  const at = effects.now;
  const fresh: Look[] = [];
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
export function isLooks(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || typeof value['at'] !== 'number') return false;
  const { looks } = value;
  return Array.isArray(looks) && looks.every(isLook);
}

/** Called for every path of every test: makes nothing but the answer. */
function isLook(value: JsonValue): boolean {
  if (!Array.isArray(value) || typeof value[1] !== 'string') return false;
  const [kind, , first, second, third, fourth] = value;
  if (kind === '-') return value.length === 2;
  if (typeof first !== 'number' || typeof second !== 'number') return false;
  if (kind === 'd') return value.length === 5 && typeof third === 'string';
  return kind === 'f' && value.length === 6 && typeof third === 'number' && typeof fourth === 'string';
}

async function hashNow(path: string, type: 'f' | 'd', disk: Disk): Promise<string | undefined> {
  if (type === 'd') return listingHash(await disk.list(path));
  const text = await disk.readText(path);
  return text === undefined ? undefined : textHash(text);
}
