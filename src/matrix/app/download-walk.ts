import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { inOrder } from '../../platform/core/in-order.ts';
import { joinPath } from '../../platform/core/path.ts';
import { caseFoldedName, type FileSelector, unsafeNameReason } from '../core/download-rules.ts';
import type { RemoteEntry, RemoteFolder } from '../core/remote-folder.ts';
import { type DownloadEffects, withRetries } from './download-file.ts';

/** A file that is wanted, or an entry that is not taken. Paths are relative to the address. */
export type RemoteFinding =
  | { readonly state: 'wanted'; readonly path: string; readonly size?: number }
  /** Not listed, but it may be there. */
  | { readonly state: 'hidden'; readonly path: string }
  | { readonly state: 'refused' | 'failed'; readonly path: string; readonly reason: string };

export interface Walk {
  readonly remote: RemoteFolder;
  readonly chooser: FileSelector;
  readonly jobs: number;
  /** Names at the top that we write ourselves. */
  readonly ownNames: readonly string[];
}

interface Folder {
  readonly path: string;
  readonly test?: string;
}

/** Walks a tree level by level, several folders at a time, in the order of names. */
export async function* walkRemote(
  { remote, chooser, jobs, ownNames }: Walk,
  effects: DownloadEffects,
): AsyncGenerator<RemoteFinding> {
  let level: readonly Folder[] = [{ path: '' }];
  while (level.length > 0) {
    const below: Folder[] = [];
    const read = async (folder: Folder) => ({
      folder,
      listing: await listFolder(remote, folder.path, effects),
    });
    for await (const { folder, listing } of inOrder(level, jobs, read)) {
      if (typeof listing === 'string') {
        yield { state: 'failed', path: `${folder.path}/`, reason: listing };
        continue;
      }
      const { taken, refused } = splitSafeNames(listing, folder.path);
      yield* refused;
      const names = new Set(taken.flatMap(({ name, type }) => (type === 'file' ? [name] : [])));
      const isTest = folder.test === undefined && chooser.isTest(names);
      const test = folder.test ?? (isTest ? folder.path : undefined);
      for (const { name, type, size } of taken) {
        const place = { path: joinPath(folder.path, name), ...(test !== undefined && { test }) };
        if (type === 'folder') {
          if (chooser.wantsFolder(place)) below.push(place);
        } else if (chooser.wantsFile(place) && !(folder.path === '' && ownNames.includes(name))) {
          yield { state: 'wanted', path: place.path, ...(size !== undefined && { size }) };
        }
      }
      if (test === undefined || !remote.hidesDotFiles) continue;
      const listed = (path: string) => names.has(path.slice(path.lastIndexOf('/') + 1));
      for (const path of chooser.dotFiles({ path: folder.path, test })) {
        if (!listed(path)) yield { state: 'hidden', path };
      }
    }
    level = below;
  }
}

/** The entries, or why there are none: one folder does not stop the others, but without the first there is nothing. */
async function listFolder(
  remote: RemoteFolder,
  path: string,
  effects: DownloadEffects,
): Promise<readonly RemoteEntry[] | string> {
  try {
    return await withRetries(() => remote.list(path), effects);
  } catch (error) {
    const isLocal = path !== '' && error instanceof NightmarkError && error.code !== 'DOWNLOAD_INTERRUPTED';
    if (isLocal) return messageOf(error);
    throw error;
  }
}

/** Entries sorted by name; those that could do harm on a disk are told apart. */
function splitSafeNames(entries: readonly RemoteEntry[], folder: string) {
  const taken: RemoteEntry[] = [];
  const refused: RemoteFinding[] = [];
  const seen = new Set<string>();
  for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))) {
    const folded = caseFoldedName(entry.name);
    const reason =
      unsafeNameReason(entry.name, folder) ??
      (seen.has(folded) ? 'another name differs from it in upper and lower case only' : undefined);
    seen.add(folded);
    if (reason === undefined) taken.push(entry);
    else
      refused.push({
        state: 'refused',
        path: joinPath(folder, entry.name.slice(0, 300)),
        reason,
      });
  }
  return { taken, refused };
}
