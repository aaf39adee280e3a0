import { NightmarkError } from '../../../core/errors.ts';

/** Runs the work and turns a failure of SQLite into one that a person can act on. */
export function explain<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toNightmarkError(file, error) ?? error;
  }
}

function toNightmarkError(file: string, cause: unknown): NightmarkError | undefined {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  if (message.startsWith('ConnectionFailed')) {
    return new NightmarkError('STORE_CANNOT_OPEN', `The index ${file} cannot be opened.`, {
      hint: 'Look whether it is there, is a file, and may be read and written by you.',
      cause,
    });
  }
  if (!code.startsWith('SQLITE_')) return undefined;
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return new NightmarkError('STORE_DAMAGED', `The index ${file} is damaged (${message}).`, {
      hint: 'Build it anew from the files of the home: nightmark reindex',
      cause,
    });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new NightmarkError('STORE_BUSY', `Another process is writing to the index ${file}.`, {
      hint: 'Try again when it is done.',
      cause,
    });
  }
  if (code.startsWith('SQLITE_FULL')) {
    return new NightmarkError('DISK_FULL', `No space left for the index ${file}.`, {
      hint: 'Free some space; the results themselves are files, and "nightmark reindex" adds what is missing.',
      cause,
    });
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code)) {
    return new NightmarkError('STORE_DENIED', `The index ${file} cannot be written or read (${message}).`, {
      hint: 'Look at the owner and mode of the file and of its folder.',
      cause,
    });
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || /FOREIGN KEY/.test(message)) {
    return new NightmarkError('STORE_UNKNOWN_RUN', 'Results were saved before the run they belong to.', {
      hint: 'Save the run first.',
      cause,
    });
  }
  return new NightmarkError('STORE_FAILED', `The index ${file} failed: ${message} (${code}).`, { cause });
}
