import type { Disk } from '../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { baseName, dirName, joinPath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { CurveTable } from '../core/curve-table.ts';
import { type CurveSettings, nameCurve } from '../core/name-curve.ts';
import { autoTable, progressColumns, progressTables } from '../core/progress-files.ts';

/** Curves of one file, and when it was written. */
export interface CurveFile {
  /** Below the home. */
  readonly path: string;
  readonly at: number;
  readonly tables: readonly CurveTable[];
  /** Why there are none. */
  readonly problem?: string;
}

/** Files that were read once and have not changed since. */
export type CurveCache = Map<string, { readonly stamp: string; readonly file: CurveFile }>;

export interface FindEffects {
  readonly disk: Disk;
  readonly memory: CurveCache;
  /** Columns to read besides the default ones. */
  readonly columns?: readonly string[];
}

export interface FoundFiles {
  readonly files: readonly CurveFile[];
  /** Folders or files beyond the limit were not read. */
  readonly isCut: boolean;
}

/** Where curves lie in a home: what runs left, and what is kept to compare with. */
const ROOTS = ['results', 'baselines'];
const MOST_FOLDERS = 20_000;
const MOST_FILES = 4_000;
const MOST_BYTES = 32 * 2 ** 20;
/** Of all files, as they are kept in memory: 160 MB. */
const MOST_NUMBERS = 20_000_000;

/** All files of learning curves below a home; links are not followed. */
export async function findCurves(
  home: string,
  { disk, memory, columns = [] }: FindEffects,
): Promise<FoundFiles> {
  const { paths, isCut } = await walk(home, disk);
  const files: CurveFile[] = [];
  let numbers = 0;
  for (const path of paths) {
    if (numbers > MOST_NUMBERS) return { files, isCut: true };
    const facts = await disk.stat(joinPath(home, path));
    if (facts?.type !== 'file') continue;
    const stamp = JSON.stringify([facts.changedAt, facts.size, ...columns]);
    const known = memory.get(path);
    const file =
      known?.stamp === stamp
        ? known.file
        : await readFile(home, path, { disk, columns, at: facts.modifiedAt });
    memory.set(path, { stamp, file });
    files.push(file);
    for (const table of file.tables) for (const column of table.columns.values()) numbers += column.length;
  }
  const present = new Set(paths);
  for (const path of memory.keys()) if (!present.has(path)) memory.delete(path);
  return { files, isCut };
}

async function walk(
  home: string,
  disk: Disk,
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const folders = [...ROOTS];
  const paths: string[] = [];
  for (let at = 0; at < folders.length; at++) {
    const folder = folders[at] as string; // at < length
    for (const { name, type } of await disk.list(joinPath(home, folder))) {
      const path = `${folder}/${name}`;
      if (type === 'folder' && folders.length < MOST_FOLDERS) folders.push(path);
      else if (type === 'file' && isOfCurves(name, baseName(folder))) paths.push(path);
    }
  }
  // Results first: their order is that of the tasks, and baselines only stand beside them.
  const ordered = paths.sort((a, b) => rootOf(a) - rootOf(b) || (a < b ? -1 : 1));
  const isCut = paths.length > MOST_FILES || folders.length >= MOST_FOLDERS;
  return { paths: ordered.slice(0, MOST_FILES), isCut };
}

function rootOf(path: string): number {
  return ROOTS.findIndex((root) => path.startsWith(`${root}/`));
}

function isOfCurves(name: string, folder: string): boolean {
  if (name === 'progress.csv' || /^progress(?:[-_.].*)?\.json$/.test(name)) return true;
  return name.endsWith('.json') && (folder === 'auto' ? name.includes('_') : /-v\d+_.+\.json$/.test(name));
}

interface Reading {
  readonly disk: Disk;
  readonly columns: readonly string[];
  readonly at: number;
}

async function readFile(home: string, path: string, { disk, columns, at }: Reading): Promise<CurveFile> {
  try {
    const text = await disk.readText(joinPath(home, path), { maxBytes: MOST_BYTES, within: home });
    const tables = text === undefined ? [] : await tablesIn(text, path, { home, disk, columns });
    return tables.length > 0 ? { path, at, tables } : { path, at, tables, problem: NO_CURVE };
  } catch (error) {
    if (!(error instanceof NightmarkError || error instanceof SyntaxError)) throw error;
    return { path, at, tables: [], problem: messageOf(error) };
  }
}

const NO_CURVE = 'It holds no learning curve: no columns of numbers with a step.';

async function tablesIn(
  text: string,
  path: string,
  { home, disk, columns }: Pick<Reading, 'disk' | 'columns'> & { readonly home: string },
): Promise<readonly CurveTable[]> {
  const [name, folder] = [baseName(path), dirName(path)];
  if (name === 'progress.csv') {
    const table = progressColumns(text, columns);
    if (!table) return [];
    const settings = await objectIn(joinPath(home, folder, 'variant.json'), { home, disk });
    const { githash } = await objectIn(joinPath(home, folder, 'metadata.json'), { home, disk });
    const named = nameCurve(foldersOf(folder), settings);
    return [{ ...named, ...table, ...(typeof githash === 'string' && { commit: githash }) }];
  }
  const document: JsonValue = JSON.parse(text.replaceAll(/\bNaN\b/g, 'null'));
  const isBaseline = folder.split('/')[0] === 'baselines';
  const auto = autoTable(document, name, folder);
  const tables = auto ? [auto] : progressTables(document, folder);
  return isBaseline ? tables.map((table) => ({ ...table, isBaseline })) : tables;
}

/** Without folders that every home has. */
function foldersOf(folder: string): readonly string[] {
  const names = folder.split('/');
  const common = ['results', 'experiments', 'data', 'subsystem', 'output', 'jobs', 'local', 'benchmarks'];
  return names.filter((name) => !common.includes(name));
}

async function objectIn(
  path: string,
  { home, disk }: { readonly home: string; readonly disk: Disk },
): Promise<CurveSettings> {
  try {
    const document: JsonValue = JSON.parse(
      (await disk.readText(path, { maxBytes: 2 ** 20, within: home })) ?? '{}',
    );
    return isJsonObject(document) ? document : {};
  } catch (error) {
    // Optional: without it the folders name the curve.
    if (error instanceof SyntaxError || error instanceof NightmarkError) return {};
    throw error;
  }
}
