import { parseJsonDefinition, parseYamlDefinition } from '../../../platform/config/definition.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { baseName, joinPath } from '../../../platform/core/path.ts';
import { parseCsv } from '../../../platform/core/text/csv.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { ExampleFile, ExampleTest } from '../../core/workload/draft/draft-fields.ts';

const DEEPEST = 6;
const MOST_FILES = 200;
const MOST_FOLDERS = 2_000;
const MOST_BYTES = 1024 * 1024;

/** The first test directory at or below a folder, in sorted order; one with a file "skip" does not count. */
export async function findExample(root: string, disk: Disk): Promise<string | undefined> {
  let level = [root];
  let seen = 0;
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const dir of level) {
      if (++seen > MOST_FOLDERS) return undefined;
      const entries = await disk.list(dir);
      const names = entries.map(({ name }) => name);
      if (names.some(isMarker) && !names.includes('skip')) return dir;
      below.push(...entries.flatMap(({ name, type }) => (type === 'folder' ? [joinPath(dir, name)] : [])));
    }
    level = below;
  }
  return undefined;
}

/** The settings of the folders (outermost first, the test directory last), and the files that may contain values. */
export async function readExample(dir: string, parents: readonly string[], disk: Disk): Promise<ExampleTest> {
  let settings: JsonObject = {};
  for (const folder of [...parents, dir]) settings = { ...settings, ...(await readSettings(folder, disk)) };
  const names = await listFiles(dir, disk);
  const files: ExampleFile[] = [];
  for (const path of names.filter((name) => !isOurs(name))) {
    const file = await readFile(dir, path, disk);
    if (file) files.push(file);
  }
  return { settings, hasUuid: names.includes('.uuid'), files };
}

function isMarker(name: string): boolean {
  return ['settings', 'settings.yaml', 'settings.yml'].includes(name);
}

function isOurs(path: string): boolean {
  return (
    /^(?:settings(?:\..*)?|exit_code|skip|\.uuid|config\.yaml)$/.test(baseName(path)) ||
    path.includes('.nightmark/')
  );
}

async function readSettings(dir: string, disk: Disk): Promise<JsonObject> {
  let settings: JsonObject = {};
  for (const { name, type } of await disk.list(dir)) {
    if (type !== 'file' || !/^settings(?:\.|$)/.test(name)) continue;
    const text = await textOf(joinPath(dir, name), disk);
    const value = /\.(?:ya?ml|json)$/.test(name) ? parsed(name, text) : lines(text);
    if (isJsonObject(value)) settings = { ...settings, ...value };
  }
  return settings;
}

/** The old format: key=value. */
function lines(text: string): JsonObject {
  return Object.fromEntries(
    [...text.matchAll(/^([^=\n]+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
  );
}

/** Level by level, so that a deep folder does not use up the limit before the files beside it. */
async function listFiles(dir: string, disk: Disk): Promise<readonly string[]> {
  const found: string[] = [];
  let level = [''];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      for (const { name, type } of await disk.list(joinPath(dir, folder))) {
        if (type === 'file') found.push(joinPath(folder, name));
        if (type === 'folder') below.push(joinPath(folder, name));
      }
      if (found.length >= MOST_FILES) return found.slice(0, MOST_FILES);
    }
    level = below;
  }
  return found;
}

async function readFile(dir: string, path: string, disk: Disk): Promise<ExampleFile | undefined> {
  const type = /\.(json|ya?ml|csv)$/.exec(path)?.[1]?.replace('yml', 'yaml');
  if (type === undefined) return undefined;
  const text = await textOf(joinPath(dir, path), disk);
  if (type === 'csv') {
    const [header, ...rows] = parseCsv(text.slice(0, 100_000)) ?? [];
    const row = rows[0];
    return header && row ? { path, type: 'csv', header, row } : undefined;
  }
  const value = parsed(path, text);
  return value === undefined ? undefined : { path, type: type as 'json' | 'yaml', value };
}

/** Empty when the file is too large: a draft does not need every file. */
async function textOf(path: string, disk: Disk): Promise<string> {
  const ends = await disk.readEnds(path, { headBytes: MOST_BYTES, tailBytes: 0 });
  return ends === undefined || (ends.leftOutBytes > 0 && !path.endsWith('.csv')) ? '' : ends.head;
}

function parsed(path: string, text: string): JsonValue | undefined {
  const result = path.endsWith('.json') ? parseJsonDefinition(path, text) : parseYamlDefinition(path, text);
  return result.state === 'parsed' ? result.definition.value : undefined;
}
