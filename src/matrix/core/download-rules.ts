import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { crossingPattern } from '../../platform/core/patterns/glob.ts';
import { CALIPER_FILE, ROOT_FILES } from './test-directory.ts';

export const DOWNLOAD_MODES = ['prefer_cache', 'cache_only', 'important', 'all'] as const;
export type DownloadMode = (typeof DOWNLOAD_MODES)[number];

export interface DownloadRules {
  readonly mode: DownloadMode;
  /** Cache files of other tools; downloaded as they are. */
  readonly cacheNames: readonly string[];
  readonly importantFiles: readonly string[];
  /** From the workload: the file that makes a folder a test directory, where it is not a settings file. */
  readonly marker?: string;
}

/** A file or folder, inside or outside of a test directory. */
export interface RemotePath {
  readonly path: string;
  /** Path of the test directory; undefined outside of one. */
  readonly test?: string;
}

export interface FileSelector {
  /** `names` are those of the files of a folder. */
  isTest(names: ReadonlySet<string>): boolean;
  wantsFile(place: RemotePath): boolean;
  wantsFolder(place: RemotePath): boolean;
  /** Paths of wanted files of a folder of a test that a listing may hide: their names begin with a dot. */
  dotFiles(folder: Required<RemotePath>): readonly string[];
}

const MANDATORY = ['settings', 'exit_code', 'config.yaml', 'skip', CALIPER_FILE];

/** Selects the files of a tree that are downloaded. */
export function createFileSelector(rules: DownloadRules): FileSelector {
  const { mode, marker } = rules;
  const mandatory = new Set([...MANDATORY, ...(marker === undefined ? [] : [marker])]);
  const caches = new Set(rules.cacheNames);
  const takesImportant = mode === 'important' || mode === 'prefer_cache';
  const patterns = takesImportant ? rules.importantFiles.map(crossingPattern) : [];
  const prefixes = takesImportant ? rules.importantFiles.map(literalPrefix) : [];
  const isMandatory = (path: string) => mandatory.has(path) || path.startsWith('settings.');
  const named = mode === 'cache_only' ? rules.cacheNames : [...rules.cacheNames, ...rules.importantFiles];
  const dotted = named.filter((file) => /(?:^|\/)\.[^/]+$/.test(file) && !/[*?[]/.test(file));
  return {
    dotFiles: ({ path, test }) => {
      const prefix = path === test ? '' : `${inside(path, test)}/`;
      const names = dotted.filter((file) => file.slice(0, file.lastIndexOf('/') + 1) === prefix);
      return names.map((file) => (test === '' ? file : `${test}/${file}`));
    },
    isTest: (names) =>
      marker === undefined
        ? ['exit_code', ...ROOT_FILES, CALIPER_FILE].some((name) => names.has(name)) && !names.has('skip')
        : names.has(marker) && !names.has('skip'),
    wantsFile({ path, test }) {
      if (mode === 'all') return true;
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (test === undefined) return isMandatory(name);
      const inTest = inside(path, test);
      if (inTest === name && isMandatory(name)) return true;
      return caches.has(inTest) || mandatory.has(inTest) || patterns.some((pattern) => pattern.test(inTest));
    },
    wantsFolder({ path, test }) {
      if (mode === 'all' || test === undefined) return true;
      const folder = `${inside(path, test)}/`;
      const leadsTo = (prefix: string) => prefix.startsWith(folder) || folder.startsWith(prefix);
      const exact = [...caches, ...mandatory].some((file) => file.startsWith(folder));
      return exact || prefixes.some(leadsTo);
    },
  };
}

function inside(path: string, test: string): string {
  return test === '' ? path : path.slice(test.length + 1);
}

/** What a path must begin with to match: "a/b" for "a/b*"; the pattern itself where it has no wildcards. */
function literalPrefix(pattern: string): string {
  return /^[^*?[]*/.exec(pattern)?.[0] ?? '';
}

/** One tree to download. */
export interface DownloadEntry {
  readonly url: string;
  /** Relative to the folder of results. */
  readonly folder: string;
  /** Written beside the tree, for every test below. */
  readonly settings?: Settings;
}

/** Folder of a single address, as in the original tool. */
export const SINGLE_FOLDER = 'expe/from_url';

/** The limit of most file systems. */
const LONGEST_NAME = 255;
/** Keeps the whole path within 4096 bytes. */
const LONGEST_PATH = 3_000;
const DEEPEST = 64;

/** Why an entry of a remote listing may not be written under its name; undefined when it may. */
export function unsafeNameReason(name: string, folder: string): string | undefined {
  const why = whyInvalidName(name);
  if (why !== undefined) return why;
  if (name === '.nightmark') return 'the name is reserved';
  if (/\p{Cc}/u.test(name)) return 'it has a control character';
  if (name.includes('\\')) return 'it contains "\\"';
  if (utf8Length(name) > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  if (utf8Length(folder) + utf8Length(name) > LONGEST_PATH) return 'its path is too long';
  return folder.split('/').length > DEEPEST ? `it is deeper than ${DEEPEST} folders` : undefined;
}

/** Equal for names that are the same file on a case-insensitive disk. */
export function caseFoldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
