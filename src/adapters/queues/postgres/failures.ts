import { messageOf, NightmarkError } from '../../../core/errors.ts';

/** SQLSTATE classes and system errors that say that the connection is gone, not that the statement is wrong. */
const LOST =
  /^(?:08|57P0[123])|^(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const LOST_WORDS = /Connection terminated|Client has encountered a connection error|timeout expired/;
/** Two transactions were in each other's way: one of them is done again. */
const IN_THE_WAY = /^40(?:001|P01)$/;

export function isConnectionLost(error: unknown): boolean {
  if (error instanceof NightmarkError) return false;
  return LOST.test(codeOf(error)) || LOST_WORDS.test(messageOf(error));
}

export function isInTheWay(error: unknown): boolean {
  return IN_THE_WAY.test(codeOf(error));
}

/** The table, or its schema, is not there. */
export function isNoTable(error: unknown): boolean {
  return ['42P01', '3F000'].includes(codeOf(error));
}

/** What the server or the network said, for people; no message of the driver holds a password. */
export function postgresFailure(error: unknown, shown: string): unknown {
  if (error instanceof NightmarkError) return error;
  const said = messageOf(error) || codeOf(error);
  if (isConnectionLost(error)) {
    return new NightmarkError('JOBS_POSTGRES_UNREACHABLE', `${shown} cannot be reached: ${said}`, {
      hint: 'Is the address right, and does the server run? pg_isready tells.',
      cause: error,
    });
  }
  const known = KNOWN[codeOf(error)];
  if (known === undefined) return error;
  return new NightmarkError('JOBS_POSTGRES_REFUSED', `${shown}: ${said}`, { hint: known, cause: error });
}

const DENIED = 'Set PGUSER and PGPASSWORD, or NIGHTMARK_POSTGRES_URL with both.';
const KNOWN: Readonly<Record<string, string>> = {
  '28P01': DENIED,
  '28000': DENIED,
  '42501': 'The user needs CREATE on the database once: GRANT CREATE ON DATABASE jobs TO nightmark;',
  '3D000': 'Make it first: createdb jobs',
  '53100': 'The disk of the database server is full: make room there.',
  '53300': 'The server has no connection left: raise max_connections there, or run fewer workers.',
};

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
