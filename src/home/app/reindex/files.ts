import type { Disk, DiskEntry } from '../../../platform/core/disk.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { Store } from '../../core/store.ts';
import type { Progress } from './progress.ts';

/** Names of the folders below; a folder that cannot be listed is a problem of its own. */
export async function foldersIn(dir: string, disk: Disk, progress: Progress): Promise<readonly string[]> {
  return namesIn(dir, disk, progress, ({ type }) => type === 'folder' || type === 'link');
}

export async function filesIn(dir: string, disk: Disk, progress: Progress): Promise<readonly string[]> {
  const names = await namesIn(dir, disk, progress, ({ type }) => type === 'file' || type === 'link');
  // Left by a write that was cut off, never part of the results.
  return names.filter((name) => !name.startsWith('.nightmark-'));
}

/** A file that must be there, below the size, and in this folder also behind a link. */
export async function readWhole(dir: string, name: string, disk: Disk, maxBytes: number): Promise<string> {
  const text = await disk.readText(joinPath(dir, name), { maxBytes, within: dir });
  if (text === undefined) throw new Error('It is not there, or leads nowhere.');
  return text;
}

/** A transaction for every few hundred files: each costs a flush, and all at once would hold back readers' view. */
export async function inGroups<T>(
  store: Store,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP) {
    await store.together(async () => {
      for (const item of items.slice(start, start + GROUP)) await work(item);
    });
  }
}

const GROUP = 300;

async function namesIn(
  dir: string,
  disk: Disk,
  progress: Progress,
  isWanted: (entry: DiskEntry) => boolean,
): Promise<readonly string[]> {
  const entries = await progress.attempt(dir, () => disk.list(dir));
  return (entries ?? []).filter(isWanted).map(({ name }) => name);
}
