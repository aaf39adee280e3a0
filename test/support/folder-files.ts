import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Settings, TestFolder } from '../../src/formats/core/kpi/matrix-entry.ts';
import type { TestFiles, Workload } from '../../src/formats/core/kpi/workload.ts';
import type { JsonValue } from '../../src/platform/core/text/json.ts';

/** The files of a real folder, read in the plainest way: no cache, no limits. */
export function folderFiles(
  dir: string,
  {
    settings = {},
    artifactFolders = {},
  }: { settings?: Settings } & Partial<Pick<Workload, 'artifactFolders'>> = {},
): TestFiles {
  const folder: TestFolder = { dir, location: dir, settings, exitCode: 0 };
  const all = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
  const glob = (pattern: string) => all.filter((path) => toRegExp(pattern).test(path));
  const text = async (path: string) => {
    try {
      return readFileSync(join(dir, path), 'utf8');
    } catch {
      return undefined;
    }
  };
  const parsed = async (path: string, read: (text: string) => JsonValue) => {
    try {
      const content = await text(path);
      return content === undefined ? undefined : read(content);
    } catch {
      return undefined;
    }
  };
  return {
    folder,
    artifact: (name) => glob(artifactFolders[name] ?? '').at(-1),
    glob: async (pattern) => glob(pattern),
    text,
    json: (path) => parsed(path, JSON.parse),
    yaml: (path) => parsed(path, parse),
    async *lines(path) {
      const content = await text(path);
      if (content !== undefined) yield* content.split(/\r?\n/);
    },
    async *lineBlocks(path) {
      const content = await text(path);
      if (content !== undefined) yield content.split(/\r?\n/);
    },
  };
}

/** The test directories of a tree that have run, with their own settings over those of the folder above. */
export function goldenTests(): readonly { readonly dir: string; readonly settings: Settings }[] {
  const root = 'test/golden/matrix/results/expe';
  const read = (path: string) => parse(readFileSync(path, 'utf8')) as Settings;
  return readdirSync(root)
    .filter((name) => /^00\d__/.test(name))
    .sort()
    .map((name) => ({
      dir: join(root, name),
      settings: { ...read(join(root, 'settings.common.yaml')), ...read(join(root, name, 'settings.yaml')) },
    }));
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  return new RegExp(`^${source}$`);
}
