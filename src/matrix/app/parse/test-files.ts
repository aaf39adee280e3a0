import type { TestFolder } from '../../../formats/core/kpi/matrix-entry.ts';
import type { TestFiles, Workload } from '../../../formats/core/kpi/workload.ts';
import { parseResultJson } from '../../../formats/core/parse-json.ts';
import type { DiskEntry } from '../../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { componentPattern, crossingPattern, hasWildcard } from '../../../platform/core/patterns/glob.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { readLineBlocks } from '../../../platform/core/text/read-lines.ts';
import type { MatrixEffects } from './parse-request.ts';
import type { RecordedFolder } from './recorded-folder.ts';

const MAX_LINE_BYTES = 1024 * 1024;
/** Read for every test, or available to every workload. */
const ALWAYS_IMPORTANT = ['settings', 'settings.*', 'exit_code', 'config.yaml', 'skip'];

export interface OpenedFiles {
  readonly files: TestFiles;
  /** What was missing or broken, one sentence each. */
  readonly problems: readonly string[];
  /** For the author of the workload; reported once for each `key`, not for each test. */
  readonly notes: readonly FileNote[];
}

export interface FileNote {
  readonly key: string;
  readonly text: string;
}

export interface OpenedTest {
  readonly folder: TestFolder;
  readonly recorded: RecordedFolder;
  readonly workload: Workload;
  /** Artifact folders by name, resolved before. */
  readonly artifacts: Readonly<Record<string, string>>;
}

/** The files of one test, for its workload. */
export function openTestFiles(
  { folder, recorded, workload, artifacts }: OpenedTest,
  { parseYaml }: Pick<MatrixEffects, 'parseYaml'>,
): OpenedFiles {
  const problems: string[] = [];
  const notes: FileNote[] = [];
  const important = importantPatterns(workload);
  const attempt = async <T>(path: string, work: () => Promise<T | undefined>): Promise<T | undefined> => {
    if (!important.some((pattern) => pattern.test(path))) notes.push(unlisted(path));
    try {
      const value = await work();
      if (value === undefined) problems.push(`${path}: there is no such file`);
      return value;
    } catch (error) {
      problems.push(`${path}: ${reasonOf(error, folder.dir)}`);
      return undefined;
    }
  };
  // A workload reads one field after the other, often of the same file.
  const documents = new Map<string, Promise<JsonValue | undefined>>();
  const parsed = (path: string, parse: (text: string) => JsonValue) => {
    const key = `${parse.name} ${path}`;
    const cached = documents.get(key);
    if (cached) return cached;
    const value = attempt(path, async () => {
      const text = await recorded.text(path);
      return text === undefined ? undefined : parse(text);
    });
    documents.set(key, value);
    return value;
  };
  const files: TestFiles = {
    folder,
    artifact: (name) => artifacts[name],
    glob: (pattern) => findFiles(recorded, pattern),
    text: (path) => attempt(path, () => recorded.text(path)),
    json: (path) => parsed(path, parseJson),
    yaml: (path) => parsed(path, parseYaml),
    async *lines(path) {
      for await (const block of files.lineBlocks(path)) yield* block;
    },
    async *lineBlocks(path) {
      const chunks = await attempt(path, () => recorded.chunks(path));
      let cut = 0;
      if (chunks) yield* readLineBlocks(chunks, MAX_LINE_BYTES, () => cut++);
      if (cut > 0) problems.push(`${path}: ${cut} of its lines are longer than 1 MiB and were cut`);
    },
  };
  return { files, problems, notes };
}

function parseJson(text: string): JsonValue {
  return parseResultJson(text, 'Was the test interrupted?');
}

/** The problem begins with the path, so the reason need not repeat it. */
function reasonOf(error: unknown, dir: string): string {
  if (!(error instanceof NightmarkError)) throw error;
  return messageOf(error).replaceAll(`${dir}/`, '');
}

/** Numbers in the path become "*", so that the files of a thousand tests give one note. */
function unlisted(path: string): FileNote {
  const pattern = path.replace(/\d+/g, '*');
  const text = `${path} is read but is not one of the important files: a download of these would leave it out`;
  return { key: `unlisted ${pattern}`, text };
}

const patternCache = new WeakMap<Workload, readonly RegExp[]>();

function importantPatterns(workload: Workload): readonly RegExp[] {
  const patterns =
    patternCache.get(workload) ?? [...ALWAYS_IMPORTANT, ...workload.importantFiles].map(crossingPattern);
  patternCache.set(workload, patterns);
  return patterns;
}

export interface Artifacts {
  /** Folder of each artifact, relative to the test directory. */
  readonly folders: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  readonly notes: readonly FileNote[];
}

/** Resolves the artifact folders of a workload: the folder with that name, or the last one that matches. */
export async function findArtifacts(recorded: RecordedFolder, workload: Workload): Promise<Artifacts> {
  const folders: [string, string][] = [];
  const problems: string[] = [];
  const notes: FileNote[] = [];
  for (const [name, pattern] of Object.entries(workload.artifactFolders)) {
    const matches = await findFiles(recorded, pattern);
    const last = matches.at(-1);
    if (last === undefined) problems.push(`no folder matches "${pattern}" (artifact folder "${name}")`);
    else folders.push([name, last]);
    if (matches.length > 1) notes.push(ambiguous(pattern, matches));
  }
  return { folders: Object.fromEntries(folders), problems, notes };
}

function ambiguous(pattern: string, matches: readonly string[]): FileNote {
  const text = `${matches.length} folders match "${pattern}"; the last one is used: ${matches.at(-1)}`;
  return { key: `ambiguous ${pattern}`, text };
}

/** Deeper folders are not searched. */
const MAX_DEPTH = 40;

/**
 * Relative paths that match a glob pattern, sorted: "*" stays within a name, "**" is any number of folders. Linked
 * folders are entered when the pattern names them, not by "**", which could be circular.
 */
async function findFiles(folder: RecordedFolder, pattern: string): Promise<readonly string[]> {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  const found = new Set<string>();
  await search({ folder, found }, '', parts);
  return [...found].sort();
}

interface Search {
  readonly folder: RecordedFolder;
  readonly found: Set<string>;
}

async function search(it: Search, at: string, parts: readonly string[]): Promise<void> {
  const [part, ...rest] = parts;
  if (part === undefined || at.split('/').length > MAX_DEPTH) return;
  if (part === '**') {
    await search(it, at, rest.length === 0 ? ['*'] : rest);
    for (const { name, type } of await entriesOf(it, at)) {
      if (type === 'folder') await search(it, joinPath(at, name), parts);
    }
    return;
  }
  const entries = await entriesOf(it, at);
  // An existing name matches literally, whatever characters are in it.
  const isName = !hasWildcard(part) || entries.some(({ name }) => name === part);
  const matches = isName ? undefined : componentPattern(part);
  for (const { name, type } of entries) {
    if (matches ? !matches.test(name) : name !== part) continue;
    const path = joinPath(at, name);
    if (rest.length === 0) it.found.add(path);
    else if (type === 'folder' || type === 'link') await search(it, path, rest);
  }
}

async function entriesOf({ folder }: Search, at: string): Promise<readonly DiskEntry[]> {
  return (await folder.list(at)).filter(({ name }) => name !== '.nightmark');
}
