import type { Settings } from '../../../formats/core/kpi/matrix-entry.ts';
import type { Disk, DiskEntry } from '../../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { CALIPER_FILE, ROOT_FILES, settingsFiles } from '../../core/test-directory.ts';
import type { CachedLine } from './parse-cache.ts';
import type { MatrixEffects } from './parse-request.ts';
import { readFolderSettings } from './read-settings.ts';
import { isUntouched, type ObservedTimes } from './recorded-folder.ts';

/** A folder with the files of a test directory; its exit code is not read yet. */
export interface FoundTest {
  readonly state: 'found';
  readonly dir: string;
  /** Relative to the results folder; empty for the folder itself. */
  readonly path: string;
  /** Names of its files; at least of those that describe the test. */
  readonly names: readonly string[];
  /** Times of the folder, read before it was listed. */
  readonly folder: ObservedTimes;
  /** From the cache. */
  readonly cached?: CachedLine;
  /** Settings of the folders above it. */
  readonly inherited: Settings;
  /** Why these are incomplete. */
  readonly inheritedProblems: readonly string[];
}

export type FoundFolder =
  | FoundTest
  | { readonly state: 'skipped' | 'broken' | 'note'; readonly path: string; readonly reason: string };

export interface Search {
  /** Absolute. */
  readonly dir: string;
  /** The file that makes a folder a test directory, where it is not a settings file. */
  readonly marker?: string;
  /** Folders above the results whose settings are inherited, from the top. */
  readonly parents: readonly string[];
  /** Reads the cache; called for each folder in the order of the walk. */
  readCache?(path: string): Promise<CachedLine | undefined>;
}

interface Waiting {
  readonly dir: string;
  readonly path: string;
  readonly inherited: Settings;
  readonly problems: readonly string[];
}

const OURS = '.nightmark';

/**
 * Walks a tree of results in the order of names and yields each test directory, without entering it. Links to folders are
 * followed, each target once, so that the walk ends.
 */
export async function* findTests(search: Search, effects: MatrixEffects): AsyncGenerator<FoundFolder> {
  const followed = new Set([await effects.disk.realPath(search.dir)]);
  const stack: Waiting[] = [await startOf(search, effects)];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { dir, path } = at;
    const cached = await search.readCache?.(path);
    const unchanged = cached && (await unchangedFolder(dir, cached, effects.disk));
    if (unchanged) {
      yield foundTest(at, { ...unchanged, cached });
      continue;
    }
    let entries: readonly DiskEntry[];
    let folder: ObservedTimes;
    try {
      folder = await timesOf(dir, effects);
      entries = await effects.disk.list(dir);
    } catch (error) {
      yield { state: 'broken', path, reason: `the folder cannot be read: ${reasonOf(error)}` };
      continue;
    }
    const names = entries.filter(({ type }) => type !== 'folder').map(({ name }) => name);
    const isRoot = search.marker === undefined ? hasRootFile(names) : names.includes(search.marker);
    if (isRoot && !names.includes('skip')) {
      yield foundTest(at, { names, folder, cached });
      continue;
    }
    if (isRoot) yield { state: 'skipped', path, reason: 'it has a file "skip"' };
    const inside = await withSettings(at, names, effects);
    const below: Waiting[] = [];
    for (const entry of entries) {
      const why = await whyNotEntered(entry, at, { effects, followed });
      if (why === undefined)
        below.push({ ...inside, dir: joinPath(dir, entry.name), path: joinPath(path, entry.name) });
      else if (why !== '') yield { state: 'note', path: joinPath(path, entry.name), reason: why };
    }
    stack.push(...below.reverse());
  }
}

function foundTest(
  { dir, path, inherited, problems }: Waiting,
  { cached, ...facts }: Pick<FoundTest, 'names' | 'folder'> & { readonly cached: CachedLine | undefined },
): FoundTest {
  const found = { state: 'found', dir, path, inherited, inheritedProblems: problems, ...facts } as const;
  return cached ? { ...found, cached } : found;
}

/** A folder with the same times has the same names in it: the cache has those that matter. */
async function unchangedFolder(
  dir: string,
  { record: { head } }: CachedLine,
  disk: Disk,
): Promise<Pick<FoundTest, 'names' | 'folder'> | undefined> {
  const { folder, seen } = head;
  const facts = await disk.stat(dir);
  if (facts?.type !== 'folder' || !isUntouched(facts, folder)) return undefined;
  return { names: seen.looks.map(([, name]) => name), folder };
}

async function timesOf(dir: string, { disk, clock }: MatrixEffects): Promise<ObservedTimes> {
  const at = clock.now();
  const facts = await disk.stat(dir);
  return { at, modifiedAt: facts?.modifiedAt ?? at, changedAt: facts?.changedAt ?? at };
}

function hasRootFile(names: readonly string[]): boolean {
  return ROOT_FILES.some((name) => names.includes(name)) || names.includes(CALIPER_FILE);
}

async function startOf({ dir, parents }: Search, effects: MatrixEffects): Promise<Waiting> {
  let start: Waiting = { dir, path: '', inherited: {}, problems: [] };
  for (const parent of parents) {
    const names = (await effects.disk.list(parent)).map(({ name }) => name);
    start = { ...(await withSettings({ ...start, dir: parent }, names, effects)), dir };
  }
  return start;
}

/** The settings that tests below inherit. A broken file is a problem of each test below. */
async function withSettings(at: Waiting, names: readonly string[], effects: MatrixEffects): Promise<Waiting> {
  if (settingsFiles(names).length === 0) return at;
  const read = (name: string) => effects.disk.readText(joinPath(at.dir, name), { maxBytes: 1024 * 1024 });
  const { settings, problems, broken } = await readFolderSettings(names, read, effects);
  const all = broken === undefined ? problems : [...problems, broken];
  return {
    ...at,
    inherited: { ...at.inherited, ...settings },
    problems: [...at.problems, ...all.map((problem) => `${joinPath(at.path || '.', problem)}`)],
  };
}

interface LinkContext {
  readonly effects: MatrixEffects;
  readonly followed: Set<string>;
}

/** Why an entry is not entered; undefined: it is entered; empty: it is not a folder. */
async function whyNotEntered(
  { name, type }: DiskEntry,
  { dir }: Waiting,
  { effects: { disk }, followed }: LinkContext,
): Promise<string | undefined> {
  if (name === OURS) return '';
  if (type === 'folder') return undefined;
  if (type !== 'link') return '';
  try {
    const path = joinPath(dir, name);
    if ((await disk.stat(path))?.type !== 'folder') return '';
    const real = await disk.realPath(path);
    if (followed.has(real) || isAbove(real, await disk.realPath(dir))) {
      return `the link is not followed: ${real} is read already, or the link is circular`;
    }
    followed.add(real);
    return undefined;
  } catch (error) {
    return `the link cannot be followed: ${reasonOf(error)}`;
  }
}

function isAbove(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function reasonOf(error: unknown): string {
  if (error instanceof NightmarkError) return messageOf(error);
  throw error;
}
