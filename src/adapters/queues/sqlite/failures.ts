import { NightmarkError } from '../../../core/errors.ts';

/** Another process writes just now: the same may be tried again. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error));
}

/** A failure of SQLite as one that a person can act on; anything else as it is. */
export function sqliteFailure(file: string, cause: unknown): unknown {
  const code = codeOf(cause);
  const { message = '' } = cause as { message?: string };
  if (!code.startsWith('SQLITE_') && !message.startsWith('ConnectionFailed')) return cause;
  return new NightmarkError(
    isBusy(cause) ? 'JOBS_BUSY' : 'JOBS_QUEUE_FAILED',
    `The jobs in ${file} cannot be read or written (${message || code}).`,
    { hint: hintFor(code), cause },
  );
}

export function tooNew(file: string, version: number, known: number): NightmarkError {
  return new NightmarkError(
    'JOBS_TOO_NEW',
    `The jobs in ${file} were written by a newer Nightmark (form ${version}, this one knows ${known}).`,
    { hint: 'Install that version: npm install nightmark@latest. Nothing was changed.' },
  );
}

function codeOf(error: unknown): string {
  const { code = '' } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function hintFor(code: string): string {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return 'The file is damaged: bring it back from a backup.';
  if (code.startsWith('SQLITE_FULL')) return 'The disk is full: free some space.';
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'Another process is busy with it: try again.';
  return 'Look whether it is there, is a file, and may be read and written by you.';
}
