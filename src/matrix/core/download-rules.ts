import { crossingPattern } from '../../platform/core/patterns/glob.ts';
import { CALIPER_FILE, ROOT_FILES } from './settings-files.ts';

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
export interface RemotePlace {
  readonly path: string;
  /** Path of the test directory; undefined above and beside. */
  readonly test?: string;
}

export interface Chooser {
  /** By the names of the files of a folder. */
  isTest(names: ReadonlySet<string>): boolean;
  wantsFile(place: RemotePlace): boolean;
  wantsFolder(place: RemotePlace): boolean;
  /** Paths of files that are wanted of a folder of a test, and that a listing may hide: their names begin with a dot. */
  dotFiles(folder: Required<RemotePlace>): readonly string[];
}

const MANDATORY = ['settings', 'exit_code', 'config.yaml', 'skip', CALIPER_FILE];

/** Which files of a tree are fetched. */
export function chooser(rules: DownloadRules): Chooser {
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
