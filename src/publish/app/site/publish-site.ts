import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Publication, PutFile } from '../../core/site/publisher.ts';
import {
  isNamedByContent,
  ROOT_PATH,
  readRoot,
  rootText,
  type SiteFiles,
  type SiteRoot,
} from '../../core/site/site-map.ts';
import { type ByteTools, loadText } from './load-file.ts';
import type { PublishCache } from './publish-cache.ts';
import { type FolderEffects, FolderWriter, oldListing, placesOf } from './write-folder.ts';

export interface PublishEffects extends ByteTools {
  readonly publication: Publication;
  readonly stamps: PublishCache;
  readonly signal: CancelSignal;
}

export interface PublishSiteOptions {
  readonly files: SiteFiles;
  /** Nothing is written; the report lists what would be. */
  readonly isDryRun: boolean;
  /** What is written behind the root, made when it is known whether anything changed. */
  status(isChanged: boolean): Promise<string>;
  readonly statusPath: string;
}

export interface PublishReport {
  readonly isFirst: boolean;
  readonly isChanged: boolean;
  readonly written: readonly { readonly path: string; readonly size: number }[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  readonly bytesWritten: number;
}

/**
 * Brings a target from the earlier site to this one: new files first, then what the site before the earlier one had is
 * removed, then the root is replaced. Only that last step changes what readers see.
 */
export async function publishSite(
  options: PublishSiteOptions,
  effects: PublishEffects,
): Promise<PublishReport> {
  const { publication } = effects;
  const { isDryRun } = options;
  const oldText = await publication.read(ROOT_PATH);
  const old = (oldText === undefined ? undefined : readRoot(oldText)) ?? EMPTY;
  const written: { path: string; size: number }[] = [];
  const put = async (file: PutFile) => {
    refuseInterrupted(effects.signal);
    written.push({ path: file.path, size: file.size });
    if (!isDryRun) await publication.put(file);
  };
  const site = await writeFolders(options.files, old, { ...effects, put });

  const isChanged = written.length > 0 || site.retired.length > 0 || oldText === undefined;
  const removed = isChanged ? old.retired.filter((path) => !site.live.has(path)) : [];
  const last: PutFile[] = [];
  if (isChanged) {
    if (!isDryRun) await publication.remove(removed);
    last.push(toPut(ROOT_PATH, rootText(site), effects));
  }
  last.push(toPut(options.statusPath, await options.status(isChanged), effects));
  refuseInterrupted(effects.signal);
  if (!isDryRun) {
    await publication.commit(last);
    if (publication.wasInterrupted)
      await sweep(publication, new Set([...site.live, ...keptBy(site, isChanged, old)]));
  }
  written.push(...last.map(({ path, size }) => ({ path, size })));
  const bytesWritten = written.reduce((sum, { size }) => sum + size, 0);
  return {
    isFirst: oldText === undefined,
    isChanged,
    written,
    removed,
    unchanged: site.unchanged,
    bytesWritten,
  };
}

const EMPTY: SiteRoot = { folders: {}, retired: [] };

interface WrittenSite extends SiteRoot {
  readonly live: ReadonlySet<string>;
  readonly unchanged: number;
}

type Writing = PublishEffects & Pick<FolderEffects, 'put'>;

async function writeFolders(files: SiteFiles, old: SiteRoot, effects: Writing): Promise<WrittenSite> {
  const later: PutFile[] = [];
  const folders: Record<string, string> = {};
  const retired: string[] = [];
  const live = new Set<string>();
  let unchanged = 0;
  const finish = async (writer: FolderWriter) => {
    const done = await writer.finish();
    folders[writer.folder] = done.hash;
    retired.push(...done.retired);
    for (const place of done.places) live.add(place);
    unchanged += done.unchanged;
  };

  let writer: FolderWriter | undefined;
  const folderEffects = { ...effects, putLater: (file: PutFile) => void later.push(file) };
  for await (const file of files) {
    refuseInterrupted(effects.signal);
    const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')));
    if (writer?.folder !== folder) {
      if (writer) await finish(writer);
      if (Object.hasOwn(folders, folder)) throw new Error(`the files of "${folder}" do not come together`);
      writer = new FolderWriter(folder, old.folders[folder], folderEffects);
    }
    await writer.add(file);
  }
  if (writer) await finish(writer);
  // Pages come last: they refer to what was put before.
  for (const file of later.toSorted((a, b) => pageRank(a) - pageRank(b))) await effects.put(file);

  for (const [folder, hash] of Object.entries(old.folders)) {
    if (Object.hasOwn(folders, folder)) continue;
    retired.push(...placesOf(folder, await oldListing(folder, hash, effects.publication), hash));
  }
  const sorted = Object.fromEntries(Object.entries(folders).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { folders: sorted, retired: retired.sort(), live, unchanged };
}

/** What the root that is now in place keeps for readers of the site before it. */
function keptBy(site: SiteRoot, isChanged: boolean, old: SiteRoot): readonly string[] {
  return isChanged ? site.retired : old.retired;
}

/** Removes what a publication that was interrupted left behind; only files named by their content, which are ours. */
async function sweep(publication: Publication, live: ReadonlySet<string>): Promise<void> {
  const left: string[] = [];
  for await (const path of publication.list()) if (isNamedByContent(path) && !live.has(path)) left.push(path);
  await publication.remove(left);
}

function pageRank({ path }: PutFile): number {
  return path.endsWith('.html') ? 1 : 0;
}

export function toPut(path: string, text: string, tools: ByteTools): PutFile {
  return { path, ...loadText(text, tools) };
}

export function refuseInterrupted({ aborted }: CancelSignal): void {
  if (!aborted) return;
  throw new NightmarkError('PUBLISH_INTERRUPTED', 'The publication was interrupted.', {
    hint: 'The earlier site is still in place. What was written already is used or removed by the next publication.',
  });
}
