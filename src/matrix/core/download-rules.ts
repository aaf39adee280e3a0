import type { Settings } from '../../formats/core/kpi/matrix.ts';
import { whyNotAName } from '../../platform/core/path.ts';
import { crossingPattern } from '../../platform/core/text/glob.ts';
import { CALIPER_FILE, ROOT_FILES } from './test-directory.ts';

export const DOWNLOAD_MODES = ['prefer_cache', 'cache_only', 'important', 'all'] as const;
export type DownloadMode = (typeof DOWNLOAD_MODES)[number];

export interface DownloadRules {
  readonly mode: DownloadMode;
  /** Names of the files in which other tools keep what they have read; taken along as they are. */
  readonly cacheNames: readonly string[];
  readonly importantFiles: readonly string[];
  /** Of the workload: what makes a folder a test directory, where it is not a settings file. */
  readonly marker?: string;
}

/** Where a file or folder lies: inside of a test directory, with its path there, or not. */
export interface RemotePath {
  readonly path: string;
  /** Path of the test directory; undefined above and beside. */
  readonly test?: string;
}

export interface FileSelector {
  /** By the names of the files of a folder. */
  isTest(names: ReadonlySet<string>): boolean;
  wantsFile(place: RemotePath): boolean;
  wantsFolder(place: RemotePath): boolean;
  /** Paths of files that are wanted of a folder of a test, and that a listing may hide: their names begin with a dot. */
  dotFiles(folder: Required<RemotePath>): readonly string[];
}

const MANDATORY = ['settings', 'exit_code', 'config.yaml', 'skip', CALIPER_FILE];

/** Which files of a tree are fetched. */
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

/** What a path must begin with to match: "a/b*" has "a/b". A pattern without wildcards has itself. */
function literalPrefix(pattern: string): string {
  return /^[^*?[]*/.exec(pattern)?.[0] ?? '';
}

/** One tree to be fetched. */
export interface DownloadEntry {
  readonly url: string;
  /** Relative to the folder of results; of names only. */
  readonly folder: string;
  /** Written beside the tree, for every test below. */
  readonly settings?: Settings;
}

/** Where a single address goes, as in the original. */
export const SINGLE_FOLDER = 'expe/from_url';

/** As most file systems have them. */
const LONGEST_NAME = 255;
/** What a path may have below the folder, so that the whole stays within 4096. */
const LONGEST_PATH = 3_000;
const DEEPEST = 64;

/** Says why an entry of a foreign listing is not written under its name; undefined when it may be. */
export function unsafeNameReason(name: string, folder: string): string | undefined {
  const why = whyNotAName(name);
  if (why !== undefined) return why;
  if (name === '.nightmark') return 'that name is ours';
  if (/\p{Cc}/u.test(name)) return 'it has a control character';
  if (name.includes('\\')) return 'it contains "\\"';
  if (utf8Length(name) > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  if (utf8Length(folder) + utf8Length(name) > LONGEST_PATH) return 'its path is too long';
  return folder.split('/').length > DEEPEST ? `it lies deeper than ${DEEPEST} folders` : undefined;
}

/** Equal for names that are one file on a disk that does not tell upper from lower case. */
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
