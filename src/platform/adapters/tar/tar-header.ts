import type { Stats } from 'node:fs';
import type { Header } from 'tar-stream';
import type { ArchiveEntry } from '../../core/archiver.ts';

/** What tar-stream takes and gives. */
export type TarHeader = Pick<Header, 'name'> &
  Partial<Omit<Header, 'name' | 'pax'>> & {
    readonly pax?: Readonly<Record<string, string>> | null;
  };

interface Subject {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly facts: Stats;
  readonly size?: number;
  readonly target?: string;
}

/** Fields of the plain header hold this much; beyond it the number goes into a pax header. */
const MAX_OWNER = 0o777777;
const MAX_SIZE = 0o77777777777;
const MAX_SECONDS = 2 ** 31 - 1;
const MAX_NAME_BYTES = 100;
/** What a Date can hold. */
const MAX_DATE_MS = 8.64e15;

export function toHeader({ name, type, facts, size = 0, target }: Subject): TarHeader {
  const seconds = Math.floor(facts.mtimeMs / 1000);
  const pax: Record<string, string> = {};
  if (facts.uid > MAX_OWNER) pax['uid'] = String(facts.uid);
  if (facts.gid > MAX_OWNER) pax['gid'] = String(facts.gid);
  if (size > MAX_SIZE) pax['size'] = String(size);
  if (seconds < 0 || seconds > MAX_SECONDS) pax['mtime'] = String(seconds);
  const needsPax = Object.keys(pax).length > 0 || Buffer.byteLength(name) > MAX_NAME_BYTES;
  return {
    name,
    type,
    size,
    // With the bits of the file type: tar-stream takes a plain 0 for "no mode given".
    mode: facts.mode,
    uid: facts.uid,
    gid: facts.gid,
    mtime: new Date(Math.min(Math.max(seconds, 0), MAX_SECONDS) * 1000),
    ...(target === undefined ? {} : { linkname: target }),
    ...(needsPax ? { pax } : {}),
  };
}

/** With the fraction of a second where a pax header has one. A date: node takes a negative number for "now". */
export function modifiedAt({ mtime, pax }: TarHeader): Date {
  const exact = Number(pax?.['mtime'] ?? Number.NaN);
  const ms = Number.isFinite(exact) ? exact * 1000 : (mtime?.getTime() ?? 0);
  return new Date(Number.isFinite(ms) && Math.abs(ms) < MAX_DATE_MS ? ms : 0);
}

export function ownerOf({ uid, gid, pax }: TarHeader): { readonly uid: number; readonly gid: number } {
  return { uid: Number(pax?.['uid'] ?? uid ?? 0), gid: Number(pax?.['gid'] ?? gid ?? 0) };
}

/** Hard links count as links too. */
export function entryType({ type, name }: TarHeader): ArchiveEntry['type'] {
  switch (type) {
    case 'file':
    case 'contiguous-file':
      // Old tars mark a folder by its slash only.
      return name.endsWith('/') ? 'folder' : 'file';
    case 'directory':
      return 'folder';
    case 'symlink':
    case 'link':
      return 'link';
    default:
      return 'other';
  }
}
