import type { DiskEntry } from '../../platform/core/disk.ts';
import { joinPath } from '../../platform/core/path.ts';
import { componentPattern, hasWildcard } from '../../platform/core/patterns/glob.ts';
import type { RecordedFolder } from './recorded-folder.ts';

/** Deeper than any result; a tree that goes on beyond it is not searched there. */
const MAX_DEPTH = 40;

/**
 * Relative paths that match a shell pattern, sorted: "*" stays within a name, "**" is any number of folders. Linked
 * folders are entered when the pattern names them, not by "**", which could go in circles.
 */
export async function findFiles(folder: RecordedFolder, pattern: string): Promise<readonly string[]> {
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
  // A name that is there as it is written is meant, whatever signs are in it.
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
