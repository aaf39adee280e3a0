import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { inOrder } from '../../platform/core/in-order.ts';
import { joinPath } from '../../platform/core/path.ts';
import { failed, ok, type Result } from '../../platform/core/result.ts';
import { caseFoldedName, type FileSelector, unsafeNameReason } from '../core/download-rules.ts';
import type { RemoteEntry, RemoteFolder } from '../core/remote-folder.ts';
import { type DownloadEffects, withRetries } from './download-file.ts';

/** A wanted file, or an entry that is not downloaded. Paths are relative to the address. */
export type RemoteFinding =
  | { readonly state: 'wanted'; readonly path: string; readonly size?: number }
  /** Not listed, but it may exist. */
  | { readonly state: 'hidden'; readonly path: string }
  | { readonly state: 'refused' | 'failed'; readonly path: string; readonly reason: string };

export interface Walk {
  readonly remote: RemoteFolder;
  readonly selector: FileSelector;
  readonly jobs: number;
  /** Names in the top folder that the download writes itself. */
  readonly ownNames: readonly string[];
}

interface Folder {
  readonly path: string;
  readonly test?: string;
}

/** Walks a tree level by level, several folders at a time, in the order of names. */
export async function* walkRemote(
  { remote, selector, jobs, ownNames }: Walk,
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
      if (!listing.ok) {
        yield { state: 'failed', path: `${folder.path}/`, reason: listing.error };
        continue;
      }
      const { taken, refused } = splitSafeNames(listing.value, folder.path);
      yield* refused;
      const names = new Set(taken.flatMap(({ name, type }) => (type === 'file' ? [name] : [])));
      const isTest = folder.test === undefined && selector.isTest(names);
      const test = folder.test ?? (isTest ? folder.path : undefined);
      for (const { name, type, size } of taken) {
        const place = { path: joinPath(folder.path, name), ...(test !== undefined && { test }) };
        if (type === 'folder') {
          if (selector.wantsFolder(place)) below.push(place);
        } else if (selector.wantsFile(place) && !(folder.path === '' && ownNames.includes(name))) {
          yield { state: 'wanted', path: place.path, ...(size !== undefined && { size }) };
        }
      }
      if (test === undefined || !remote.hidesDotFiles) continue;
      const listed = (path: string) => names.has(path.slice(path.lastIndexOf('/') + 1));
      for (const path of selector.dotFiles({ path: folder.path, test })) {
        if (!listed(path)) yield { state: 'hidden', path };
      }
    }
    level = below;
  }
}

/** One failed folder does not stop the others, but without the top folder there is nothing to download. */
async function listFolder(
  remote: RemoteFolder,
  path: string,
  effects: DownloadEffects,
): Promise<Result<readonly RemoteEntry[]>> {
  try {
    return ok(await withRetries(() => remote.list(path), effects));
  } catch (error) {
    const isLocal = path !== '' && error instanceof NightmarkError && error.code !== 'DOWNLOAD_INTERRUPTED';
    if (isLocal) return failed(messageOf(error));
    throw error;
  }
}

/** Entries sorted by name; those with unsafe names are refused. */
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
