import type { Archiver } from '../../platform/core/archiver.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, dirName, joinPath } from '../../platform/core/path.ts';
import type { SecretPlace } from './backup-home.ts';
import { findHome } from './find-home-in-archive.ts';
import { readPresentTexts, SecretsBackInto } from './secrets-back.ts';

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

/** Reads a backup to its end, refuses what restore would refuse, and says which home is in it. */
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

  const secrets = new SecretsBackInto(await readPresentTexts(entries, prefix, into, disk));
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
    const { kept, missing } = await secrets.settle({ into, previous }, disk);
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
    throw new NightmarkError('RESTORE_NO_FOLDER', `${into} is no folder.`, { hint: 'Name another folder.' });
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
