import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { inOrder } from '../../platform/core/in-order.ts';
import { joinPath } from '../../platform/core/path.ts';
import { settingsYaml } from '../../platform/core/python/python-yaml.ts';
import { createFileSelector, type DownloadEntry, type DownloadRules } from '../core/download-rules.ts';
import type { RemoteFolder } from '../core/remote-folder.ts';
import { type Budget, type DownloadEffects, type DownloadedFile, downloadFile } from './download-file.ts';
import { type RemoteFinding, walkRemote } from './download-walk.ts';

export interface DownloadRequest {
  readonly entries: readonly DownloadEntry[];
  readonly rules: DownloadRules;
  readonly jobs: number;
  readonly isDryRun: boolean;
  /** Size limit of the whole download. */
  readonly maxBytes: number;
}

export interface DownloadReport {
  readonly counts: Readonly<Record<DownloadedFile['state'], number>>;
  /** Of downloaded files. */
  readonly bytes: number;
  /** Addresses that could not be read to the end. */
  readonly broken: readonly { readonly url: string; readonly reason: string; readonly hint?: string }[];
}

const SOURCE_FILE = 'source_url';
const SETTINGS_FILE = 'settings.from_url_file.yaml';

/** Downloads the trees one after the other. A failed file or address does not stop the others. */
export async function downloadResults(
  request: DownloadRequest,
  effects: DownloadEffects,
): Promise<DownloadReport> {
  const counts = { planned: 0, fetched: 0, kept: 0, refused: 0, failed: 0 };
  const broken: { url: string; reason: string; hint?: string }[] = [];
  const budget: Budget = { left: request.maxBytes };
  let bytes = 0;
  for (const entry of request.entries) {
    try {
      for await (const file of downloadTree(entry, { request, budget, effects })) {
        counts[file.state]++;
        if (file.state === 'fetched') bytes += file.bytes ?? 0;
        effects.onFile(file);
      }
    } catch (error) {
      if (!(error instanceof NightmarkError) || endsAll(error)) throw error;
      const url = entry.url.replace(/\/\/[^/@]*@/, '//'); // without a password
      broken.push({ url, reason: error.message, ...(error.hint !== undefined && { hint: error.hint }) });
    }
  }
  return { counts, bytes, broken };
}

interface TreeWork {
  readonly request: DownloadRequest;
  readonly budget: Budget;
  readonly effects: DownloadEffects;
}

async function* downloadTree(entry: DownloadEntry, work: TreeWork): AsyncGenerator<DownloadedFile> {
  const { request, effects } = work;
  const remote = await effects.openRemote(entry.url);
  if (!request.isDryRun) await writeOrigin(entry, effects);
  const walk = {
    remote,
    selector: createFileSelector(request.rules),
    jobs: request.jobs,
    ownNames: [SOURCE_FILE, SETTINGS_FILE],
  };
  const found = walkRemote(walk, effects);
  const place = { ...work, remote, folder: entry.folder };
  for await (const file of inOrder(found, request.jobs, (each) => handleFile(each, place)))
    if (file) yield file;
}

/** The address, and the settings that the url file adds to every test below. */
async function writeOrigin(
  { url, folder, settings }: DownloadEntry,
  { target }: DownloadEffects,
): Promise<void> {
  await target.writeText(joinPath(folder, SOURCE_FILE), `${url}\n`);
  if (settings !== undefined) {
    await target.writeText(joinPath(folder, SETTINGS_FILE), settingsYaml(settings));
  }
}

interface FileWork extends TreeWork {
  readonly remote: RemoteFolder;
  readonly folder: string;
}

/** Undefined for an unlisted file that does not exist. */
async function handleFile(found: RemoteFinding, work: FileWork): Promise<DownloadedFile | undefined> {
  const target = joinPath(work.folder, found.path);
  if ('reason' in found) return { ...found, path: target };
  const { budget } = work;
  try {
    return await downloadTo(target, found, work);
  } catch (error) {
    const isAbsent = error instanceof NightmarkError && error.code === 'DOWNLOAD_REFUSED';
    if (isAbsent && found.state === 'hidden') return undefined;
    if (!(error instanceof NightmarkError) || endsAll(error)) {
      // Ends the other downloads, too.
      budget.left = -1;
      throw error;
    }
    const state = error.code === 'DOWNLOAD_BLOCKED' ? 'refused' : 'failed';
    return { path: target, state, reason: messageOf(error) };
  }
}

type WantedFile = Exclude<RemoteFinding, { readonly reason: string }>;

async function downloadTo(target: string, found: WantedFile, work: FileWork): Promise<DownloadedFile> {
  const { request, remote, budget, effects } = work;
  const { path } = found;
  const local = await effects.target.sizeOf(target);
  const listedSize = found.state === 'wanted' ? found.size : undefined;
  // A file with its final name is complete; another size means that the server has a new version.
  if (local !== undefined && (listedSize === undefined || listedSize === local)) {
    return { path: target, state: 'kept', bytes: local };
  }
  if (effects.signal.aborted) throw interrupted();
  if (!request.isDryRun) return downloadFile({ remote, path, target, budget }, effects);
  const size = found.state === 'hidden' ? await sizeOfHidden(remote, path) : listedSize;
  return { path: target, state: 'planned', ...(size !== undefined && { bytes: size }) };
}

/** Only a request shows whether it exists. */
async function sizeOfHidden(remote: RemoteFolder, path: string): Promise<number | undefined> {
  const { size, bytes } = await remote.open(path);
  for await (const _ of bytes) break;
  return size;
}

/** Errors that every further file would have, too. */
function endsAll({ code }: NightmarkError): boolean {
  return ['DOWNLOAD_INTERRUPTED', 'DOWNLOAD_TOO_LARGE', 'DISK_FULL'].includes(code);
}

function interrupted(): NightmarkError {
  return new NightmarkError('DOWNLOAD_INTERRUPTED', 'The download was interrupted.', {
    hint: 'Start it again: complete files are not downloaded again, and partial ones are resumed.',
  });
}
