import * as fs from 'node:fs';
import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { NightmarkError } from '../../core/errors.ts';
import { isInside } from '../../core/path.ts';

/** Runs the work and turns a failure of the system into one that a person can act on. */
export function withDiskErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof NightmarkError ? error : toNightmarkError(path, error);
  }
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Refuses a file whose real place is outside of the folder. */
export function refuseEscape(path: string, folder: string): void {
  // The usual case in one system call: the file itself, directly in the folder.
  if (dirname(path) === folder && !lstatSync(path).isSymbolicLink()) return;
  const real = realpathSync(path);
  if (isInside(real, realpathSync(folder))) return;
  throw new NightmarkError('DISK_ESCAPES', `${path} is a link that leaves its folder: it leads to ${real}.`, {
    hint: `Put the file itself into ${folder}.`,
  });
}

export function tooLarge(path: string, size: number, limit: number): NightmarkError {
  return new NightmarkError(
    'DISK_TOO_LARGE',
    `${path} has ${mebibytes(size)} MiB; at most ${mebibytes(limit)} MiB are read.`,
    {
      hint: 'The file is kept. Write a smaller one: summaries instead of raw values.',
    },
  );
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(bytes < 100 * 1024 * 1024 ? 1 : 0);
}

function toNightmarkError(path: string, error: unknown): NightmarkError {
  const { code, message } = error as NodeJS.ErrnoException;
  const options = { cause: error };
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new NightmarkError('DISK_FULL', `No space left for ${path}.`, {
        ...options,
        hint: 'Free some space; what was finished is kept, and "nightmark run --resume" goes on from there.',
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new NightmarkError('DISK_DENIED', `No permission for ${path} (${code}).`, {
        ...options,
        hint: `Check the owner and mode with "ls -ld ${path}".`,
      });
    case 'EISDIR':
      return new NightmarkError('DISK_FAILED', `${path} is a folder, not a file.`, {
        ...options,
        hint: 'Name a file in it.',
      });
    default:
      return new NightmarkError('DISK_FAILED', `${path}: ${message}`, options);
  }
}

/** A file where a folder was expected on the way counts as nothing there. */
export function statIfThere(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
