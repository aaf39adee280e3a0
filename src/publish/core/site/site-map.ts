import { documentText, readDocument } from '../../../platform/core/site/site-files.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/**
 * What is in a static site. One small root names a listing for each folder, a listing names the files of its folder
 * with their hashes. Listings and most files are named after their content and never change: a publication writes
 * what is new, and then the root. Until then readers have the whole earlier site, and after it the whole new one.
 */
export interface SiteRoot {
  /** Hash of the listing of each folder. */
  readonly folders: Readonly<Record<string, string>>;
  /** Files of the site before: readers that have it open may still request them; the next publication removes them. */
  readonly retired: readonly string[];
}

export interface SiteEntry {
  /** The first 32 digits of the SHA-256 of the content. */
  readonly hash: string;
  readonly size: number;
  /** Lies under its own path, and not under one made of its content. */
  readonly isNamed: boolean;
}

/** By the name of the file, in the order of the names. */
export type SiteListing = ReadonlyMap<string, SiteEntry>;

export const ROOT_PATH = 'site.js';
/** How old the data is, and whether the last attempt went well: rewritten by every publication. */
export const STATUS_PATH = 'status.js';
/** Where targets that are folders keep files that are not part of the site. */
export const OWN_FOLDER = '.nightmark';

const HASH_DIGITS = 32;
const NAME_DIGITS = 16;
/** No name of ours has "~" before its ending; and hosts of pages pass over names that begin with "_", "." or "~". */
const LISTING = 'files~.js';

export function shortHash(sha256: string): string {
  return sha256.slice(0, HASH_DIGITS);
}

/** Where a file lies: data/sort.js becomes data/sort.0123456789abcdef.js unless it is named. */
export function placeOf(path: string, { hash, isNamed }: Pick<SiteEntry, 'hash' | 'isNamed'>): string {
  if (isNamed) return path;
  const slash = path.lastIndexOf('/');
  const dot = path.lastIndexOf('.');
  const end = dot > slash + 1 ? dot : path.length;
  return `${path.slice(0, end)}.${hash.slice(0, NAME_DIGITS)}${path.slice(end)}`;
}

export function listingPlace(folder: string, hash: string): string {
  return placeOf(listingPath(folder), { hash, isNamed: false });
}

/** True for a path that holds the hash of its content, so that only we can have written it. */
export function isNamedByContent(path: string): boolean {
  return /\.[\da-f]{16}(?:\.[^./]+)?$/.test(path);
}

export function rootText({ folders, retired }: SiteRoot): string {
  return documentText(ROOT_PATH, { version: VERSION, folders, retired });
}

export function readRoot(text: string): SiteRoot | undefined {
  return rootOf(readDocument(text)?.content);
}

/** Undefined if it is not a root, or of a later version. */
export function rootOf(given: unknown): SiteRoot | undefined {
  const content = given as JsonValue | undefined;
  if (!isJsonObject(content) || content['version'] !== VERSION) return undefined;
  const { folders, retired } = content;
  if (!isJsonObject(folders) || !Array.isArray(retired)) return undefined;
  if (!Object.values(folders).every((hash) => typeof hash === 'string')) return undefined;
  if (!retired.every((path) => typeof path === 'string')) return undefined;
  return { folders: folders as Record<string, string>, retired: retired as readonly string[] };
}

export function listingText(folder: string, files: SiteListing): string {
  const rows = [...files].map(([name, { hash, size, isNamed }]) => [name, hash, size, isNamed ? 1 : 0]);
  return documentText(listingPath(folder), { files: rows });
}

/** What the listing of a folder calls itself. */
export function listingPath(folder: string): string {
  return folder === '' ? LISTING : `${folder}/${LISTING}`;
}

export function readListing(text: string): SiteListing | undefined {
  return listingOf(readDocument(text)?.content);
}

export function listingOf(given: unknown): SiteListing | undefined {
  const content = given as JsonValue | undefined;
  if (!isJsonObject(content) || !Array.isArray(content['files'])) return undefined;
  const files = new Map<string, SiteEntry>();
  for (const row of content['files']) {
    const [name, hash, size, named] = Array.isArray(row) ? row : [];
    if (typeof name !== 'string' || typeof hash !== 'string' || typeof size !== 'number') return undefined;
    files.set(name, { hash, size, isNamed: named === 1 });
  }
  return files;
}

const VERSION = 1;

/** One file of a static site, before it is known whether it has to be written. */
export interface SiteFile {
  readonly path: string;
  /** Keeps its path: a page, a script, something that never changes. Other files are found through the site's map. */
  readonly isNamed: boolean;
  /** While this text stays the same the bytes do; it is much cheaper to make. Absent: the bytes are always compared. */
  readonly stamp?: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Files of the same folder that are made together with it and change only when it does; each has a stamp of its own. */
  parts?(): Promise<readonly SiteFile[]>;
}

/** Folder by folder: all files of one come one after the other. */
export type SiteFiles = AsyncIterable<SiteFile>;

/** What a page shows about the site that it is part of. Times in milliseconds since 1970. */
export interface SiteStatus {
  readonly project: string;
  /** End of the newest night that the site shows; absent: it shows none. */
  readonly dataAt?: number;
  /** When what is shown was last changed. */
  readonly publishedAt: number;
  readonly attemptedAt: number;
  readonly outcome: SiteOutcome;
  readonly leftOut: LeftOut;
}

/** Files that are in the home and not in the site. */
export interface LeftOut {
  /** Older than the nights that are shown, or beyond the size that the site may have. */
  readonly old: number;
  /** Pictures that could run something in a browser. */
  readonly unsafe: number;
}

/** Broken: the newest results could not be shown, and the site is the earlier one. */
export type SiteOutcome =
  | { readonly state: 'fine' }
  | { readonly state: 'broken'; readonly reason: string; readonly runId?: string };

export function statusText(status: SiteStatus): string {
  return documentText(STATUS_PATH, status);
}

/** Undefined if it is not a status, or of a later version. */
export function readStatus(text: string): SiteStatus | undefined {
  const content = readDocument(text)?.content as JsonValue | undefined;
  if (!isJsonObject(content)) return undefined;
  const { project, publishedAt, attemptedAt, outcome, leftOut } = content;
  const isStatus =
    typeof project === 'string' &&
    typeof publishedAt === 'number' &&
    typeof attemptedAt === 'number' &&
    isJsonObject(outcome) &&
    isJsonObject(leftOut);
  return isStatus ? (content as unknown as SiteStatus) : undefined;
}

/**
 * Whether a name at the top of a target means that it holds something else. Hidden files, and files that hosts of pages
 * expect beside a site, do not count; they stay where they are.
 */
export function isForeignName(name: string): boolean {
  return !name.startsWith('.') && !ALLOWED_NAMES.has(name);
}

const ALLOWED_NAMES: ReadonlySet<string> = new Set([
  'CNAME',
  'robots.txt',
  'favicon.ico',
  'README.md',
  'LICENSE',
]);
