import type { CancelSignal } from '../../core/cancel-signal.ts';
import { NightmarkError } from '../../core/errors.ts';

export function damaged(file: string, cause: unknown): NightmarkError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NightmarkError(
    'ARCHIVE_DAMAGED',
    `${file} is damaged or not a gzipped tar archive: ${reason}.`,
    {
      hint: `"gzip -t ${file}" shows whether it was cut off; use another backup, or copy this one again.`,
      cause,
    },
  );
}

export function escapes(file: string, entry: string, reason: string): NightmarkError {
  return new NightmarkError(
    'ARCHIVE_ESCAPES',
    `${file} holds the entry ${JSON.stringify(entry)}, which ${reason}.`,
    { hint: 'Nothing was unpacked. An archive like this is broken or hostile; list it with "tar -tvzf".' },
  );
}

/** A failure of the system on a path, as one that a person can act on. */
export function systemFailure(path: string, cause: unknown): Error {
  if (cause instanceof NightmarkError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  switch (code) {
    case undefined:
      return cause as Error;
    case 'ENOENT':
      return new NightmarkError('ARCHIVE_MISSING', `There is no ${path}.`, {
        cause,
        hint: 'Check the path for a typing mistake.',
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return new NightmarkError('DISK_FULL', `No space left for ${path}.`, {
        cause,
        hint: 'Free some space and try again; the unfinished file was removed.',
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new NightmarkError('DISK_DENIED', `No permission for ${path} (${code}).`, {
        cause,
        hint: `Check the owner and mode with "ls -ld ${path}".`,
      });
    default:
      return new NightmarkError('DISK_FAILED', `${path}: ${message}`, { cause });
  }
}

export function refuseCancelled(signal: CancelSignal | undefined, file: string): void {
  if (!signal?.aborted) return;
  throw new NightmarkError('ARCHIVE_CANCELLED', `The work on ${file} was interrupted.`, {
    hint: 'Nothing half finished was left behind; start it again.',
  });
}
