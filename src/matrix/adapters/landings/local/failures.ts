import { NightmarkError } from '../../../../platform/core/errors.ts';

/** Turns a failure of the system into one that a person can act on. */
export async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NightmarkError ? error : toNightmarkError(path, error);
  }
}

export function blocked(path: string, why: string): NightmarkError {
  return new NightmarkError('DOWNLOAD_BLOCKED', `${path} ${why}; nothing is written there.`, {
    hint: 'Remove it, or download into another folder.',
  });
}

function toNightmarkError(path: string, error: unknown): NightmarkError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new NightmarkError('DISK_FULL', `No space left for ${path}.`, {
      hint: 'Free some space and start again: what came is kept.',
      cause: error,
    });
  }
  if (code === 'ELOOP') return blocked(path, 'is a link');
  if (code === 'ENAMETOOLONG') return blocked(path, 'has a name that is too long for this disk');
  return new NightmarkError('DISK_FAILED', `${path}: ${message}`, { cause: error });
}
