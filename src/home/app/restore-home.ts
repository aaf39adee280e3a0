import type { ArchiveEntry, Archiver } from '../../platform/core/archiver.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, dirName, joinPath } from '../../platform/core/path.ts';
import {
  isSecretFile,
  LEFT_OUT,
  mayHoldSecretKeys,
  textKind,
  withSecretsOf,
} from '../../platform/core/secrets.ts';
import type { SecretPlace } from './backup-home.ts';

export interface RestoreRequest {
  /** Absolute, as is the folder. */
  readonly file: string;
  readonly into: string;
  /** A home that is there is replaced, and kept beside. */
  readonly force?: boolean;
  readonly signal?: CancelSignal;
}

export interface RestoreReport {
  readonly into: string;
  /** Folder of the home in the archive. */
  readonly prefix: string;
  readonly entries: number;
  readonly secretsKept: readonly SecretPlace[];
  /** To be set again by hand. */
  readonly secretsMissing: readonly SecretPlace[];
  /** Where the home that was there before is now. */
  readonly previous?: string;
}

interface Effects {
  readonly disk: Disk;
  readonly archiver: Archiver;
}

/** Reads a backup to its end, refuses what restore would refuse, and returns which home is in it. */
export async function verifyBackup(
  file: string,
  { archiver }: Pick<Effects, 'archiver'>,
  signal?: CancelSignal,
): Promise<{ readonly prefix: string; readonly entries: number; readonly bytes: number }> {
  const entries = await archiver.list(file, signal);
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  const prefix = findHome(file, entries);
  await archiver.unpack(file, { into: '/', prefix, checkOnly: true, ...(signal ? { signal } : {}) });
  return { prefix, entries: entries.length, bytes };
}

/** Unpacks beside the target and gives the whole its name at the end: nothing is ever half restored. */
export async function restoreHome(request: RestoreRequest, effects: Effects): Promise<RestoreReport> {
  const { file, force = false, signal } = request;
  const { disk, archiver } = effects;
  const entries = await archiver.list(file, signal);
  const prefix = findHome(file, entries);
  const into = (await disk.stat(request.into)) ? await disk.realPath(request.into) : request.into;
  const isOccupied = await isUsed(into, force, disk);

  const secrets = new SecretRestorer(await readPresentTexts(entries, prefix, into, disk));
  const temporary = joinPath(dirName(into), `.${baseName(into)}.restoring`);
  await disk.remove(temporary); // left by a restore that was killed
  try {
    const written = await archiver.unpack(file, {
      into: temporary,
      prefix,
      replace: secrets.replace,
      ...(signal ? { signal } : {}),
    });
    for (const path of secrets.wholeFiles) await disk.remove(joinPath(temporary, path));
    await disk.sync([temporary]);
    const previous = isOccupied ? await moveAside(into, disk) : undefined;
    await takePlace({ temporary, into, previous }, disk);
    const { kept, missing } = await secrets.restoreFiles({ into, previous }, disk);
    const report = { into, prefix, entries: written, secretsKept: kept, secretsMissing: missing };
    return previous === undefined ? report : { ...report, previous };
  } catch (error) {
    await disk.remove(temporary);
    throw error;
  }
}

async function isUsed(into: string, force: boolean, disk: Disk): Promise<boolean> {
  const facts = await disk.stat(into);
  if (facts && facts.type !== 'folder') {
    throw new NightmarkError('RESTORE_NO_FOLDER', `${into} is not a folder.`, {
      hint: 'Name another folder.',
    });
  }
  const names = await disk.list(into);
  if (names.length === 0) return false;
  if (force) return true;
  throw new NightmarkError('RESTORE_NOT_EMPTY', `${into} is not empty: it holds ${names[0]?.name}.`, {
    hint: 'Name an empty or new folder, or add --force: the present home is then kept beside it.',
  });
}

async function moveAside(into: string, disk: Disk): Promise<string> {
  let previous = `${into}.replaced`;
  for (let number = 2; await disk.stat(previous); number++) previous = `${into}.replaced-${number}`;
  await disk.rename(into, previous);
  return previous;
}

async function takePlace(
  { temporary, into, previous }: { temporary: string; into: string; previous: string | undefined },
  disk: Disk,
): Promise<void> {
  try {
    await disk.rename(temporary, into);
  } catch (error) {
    if (previous !== undefined) await disk.rename(previous, into);
    throw error;
  }
}

/**
 * The folder of an archive that is a home: the outermost one with a definition in it. An archive of the original
 * dashboard is named by an absolute path, one made by hand may begin anywhere.
 */
function findHome(file: string, entries: readonly ArchiveEntry[]): string {
  const paths = entries.map(({ path, type }) => ({ path: path.split('/').filter(isName).join('/'), type }));
  const folders = new Set(paths.filter(({ type }) => type === 'folder').map(({ path }) => path));
  const tops = new Set(paths.map(({ path }) => path.split('/')[0]));
  const isFolder = (path: string) =>
    folders.has(path) || folders.size === 0 || (path === '' && tops.size > 1);
  const candidates = new Set<string>();
  for (const { path, type } of paths) {
    const folder = type === 'folder' ? undefined : homeOf(path, isFolder);
    if (folder !== undefined) candidates.add(folder);
  }
  const [first, second] = [...candidates].sort((a, b) => depth(a) - depth(b));
  if (first === undefined) {
    throw new NightmarkError('RESTORE_NO_HOME', `${file} holds no home: ${entries.length} entries.`, {
      hint: 'A home has a config.json, a config/config.json or a nightmark.yml. "tar -tzf" lists what is in it.',
    });
  }
  if (second !== undefined && depth(second) === depth(first)) {
    throw new NightmarkError('RESTORE_NO_HOME', `${file} holds more than one home: ${first} and ${second}.`, {
      hint: 'Unpack it with tar and restore by hand.',
    });
  }
  return first;
}

/** The home that a definition file makes of its folder; configurations of tasks make none. */
function homeOf(path: string, isFolder: (path: string) => boolean): string | undefined {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  if (/^nightmark\.ya?ml$/.test(name)) return parts.join('/');
  if (name !== 'config.json' || /(^|\/)config\/(experiments|subsystem)\/[^/]+\/config\.json$/.test(path)) {
    return undefined;
  }
  // The folder of a home may itself be called "config": then what is around it is not in the archive.
  const outer = parts.slice(0, -1).join('/');
  return parts.at(-1) === 'config' && isFolder(outer) ? outer : parts.join('/');
}

const isName = (part: string) => part !== '' && part !== '.';
const depth = (path: string) => (path === '' ? 0 : path.split('/').length);

/** The texts of the present home that may hold secrets, by path. */
async function readPresentTexts(
  entries: readonly ArchiveEntry[],
  prefix: string,
  home: string,
  disk: Disk,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, type } of entries) {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    const inHome = parts.slice(prefix === '' ? 0 : prefix.split('/').length).join('/');
    if (type !== 'file' || parts.includes('..') || !mayHoldSecretKeys(inHome)) continue;
    const text = await disk.readText(joinPath(home, inHome));
    if (text !== undefined) texts.set(inHome, text);
  }
  return texts;
}

/** Puts secrets back while an archive is unpacked, and counts which were there and which are missing. */
class SecretRestorer {
  readonly #present: ReadonlyMap<string, string>;
  readonly #kept: SecretPlace[] = [];
  readonly #missing: SecretPlace[] = [];
  /** Files that are secrets as a whole; the archive has only their names. */
  readonly wholeFiles: string[] = [];

  constructor(present: ReadonlyMap<string, string>) {
    this.#present = present;
  }

  readonly replace = (path: string, text: () => string): string | undefined => {
    if (isSecretFile(path)) {
      if (text().trim() === LEFT_OUT) this.wholeFiles.push(path);
      return undefined;
    }
    const kind = textKind(path);
    if (kind === undefined || !mayHoldSecretKeys(path)) return undefined;
    const back = withSecretsOf(this.#present.get(path), text(), kind);
    if (back && back.kept.length > 0) this.#kept.push({ file: path, keys: back.kept });
    if (back && back.missing.length > 0) this.#missing.push({ file: path, keys: back.missing });
    return back?.text;
  };

  /** Fetches the secret files of the home that was there before. Moved, not read: they need not be texts. */
  async restoreFiles(
    { into, previous }: { readonly into: string; readonly previous: string | undefined },
    disk: Disk,
  ): Promise<{ readonly kept: readonly SecretPlace[]; readonly missing: readonly SecretPlace[] }> {
    for (const file of this.wholeFiles) {
      const old = previous === undefined ? undefined : joinPath(previous, file);
      const isThere = old !== undefined && (await disk.stat(old)) !== undefined;
      if (isThere) await disk.rename(old, joinPath(into, file));
      (isThere ? this.#kept : this.#missing).push({ file, keys: [] });
    }
    return { kept: this.#kept, missing: this.#missing };
  }
}
