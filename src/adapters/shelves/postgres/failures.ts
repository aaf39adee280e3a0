import { messageOf, NightmarkError } from '../../../core/errors.ts';

/** SQLSTATE classes and system errors that say that the connection is gone, not that the statement is wrong. */
const LOST =
  /^(?:08|57P0[123])|^(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const LOST_WORDS =
  /Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout/;

export function isConnectionLost(error: unknown): boolean {
  if (error instanceof NightmarkError) return false;
  return LOST.test(codeOf(error)) || LOST_WORDS.test(messageOf(error));
}

/** What the server or the network said, for people; no message of the driver holds a password. */
export function postgresFailure(error: unknown, shown: string): unknown {
  if (error instanceof NightmarkError) return error;
  const said = messageOf(error) || codeOf(error);
  if (isConnectionLost(error)) {
    return new NightmarkError('POINTS_POSTGRES_UNREACHABLE', `${shown} cannot be reached: ${said}`, {
      hint: 'Is the address right, and does the server run? pg_isready tells.',
      cause: error,
    });
  }
  const known = KNOWN[codeOf(error)];
  if (known === undefined) return error;
  return new NightmarkError(known.code, `${shown}: ${said}`, { hint: known.hint, cause: error });
}

const DENIED = {
  code: 'POINTS_POSTGRES_DENIED',
  hint: 'Set PGUSER and PGPASSWORD, or NIGHTMARK_POSTGRES_URL with both.',
};
const NOT_YET = { code: 'POINTS_NO_SHELF', hint: 'They come with the first write: nightmark serve' };
const KNOWN: Readonly<Record<string, { readonly code: string; readonly hint: string }>> = {
  '28P01': DENIED,
  '28000': DENIED,
  '42501': {
    code: 'POINTS_POSTGRES_DENIED',
    hint: 'The user needs CREATE on the database once: GRANT CREATE ON DATABASE metrics TO nightmark;',
  },
  '3D000': { code: 'POINTS_POSTGRES_NO_DATABASE', hint: 'Make it first: createdb metrics' },
  '3F000': NOT_YET,
  '42P01': NOT_YET,
  '53100': {
    code: 'POINTS_POSTGRES_FULL',
    hint: 'The disk of the database server is full: make room there.',
  },
};

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
