import type { Client, Pool } from 'pg';
import { messageOf, NightmarkError } from '../core/errors.ts';

/** What a database is for, and what its failures are called. */
export interface PostgresUse {
  /** The database that examples name. */
  readonly example: string;
  /** `refused` stands for each that has no code of its own. */
  readonly codes: Readonly<Partial<Record<PostgresProblem, string>>> & {
    readonly badAddress: string;
    readonly secretInAddress: string;
    readonly unreachable: string;
    readonly refused: string;
  };
}

export interface PostgresAddress {
  readonly use: PostgresUse;
  /** For the driver; may hold a password, so it is never shown. */
  readonly connection: string;
  /** For people. */
  readonly shown: string;
  readonly schema: string;
  /** How sure a write must be before it counts. */
  readonly synchronousCommit: string | undefined;
}

const COMMITS: readonly string[] = ['on', 'off', 'local', 'remote_write', 'remote_apply'];

/**
 * `place` comes from a file or the command line and must hold no password; without one NIGHTMARK_POSTGRES_URL counts, which
 * may. What an address leaves out is taken from PGHOST, PGUSER, PGPASSWORD and their like by the driver.
 */
export function postgresAddress(
  place: string,
  env: Readonly<Record<string, string | undefined>>,
  use: PostgresUse,
): PostgresAddress {
  const text = place === '' ? (env['NIGHTMARK_POSTGRES_URL'] ?? '') : place;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    // The text itself is not shown: it may be a password with a typing error before it.
    const what = place === '' ? 'NIGHTMARK_POSTGRES_URL' : 'The address';
    throw new NightmarkError(use.codes.badAddress, `${what} is not an address of a PostgreSQL server.`, {
      hint: `For example: postgres://nightmark@db.example.org:5432/${use.example}`,
    });
  }
  if (place !== '' && url.password !== '') {
    throw new NightmarkError(use.codes.secretInAddress, `The address of ${url.host} has a password.`, {
      hint: 'Leave it out and set PGPASSWORD, or put the whole address into NIGHTMARK_POSTGRES_URL.',
    });
  }
  // These are ours: the driver is not to see them.
  const schema = taken(url, 'schema') ?? 'nightmark';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new NightmarkError(use.codes.badAddress, `"${schema}" cannot be the name of a schema.`, {
      hint: 'Small letters, digits and underscores, for example ?schema=nightmark',
    });
  }
  const synchronousCommit = taken(url, 'synchronous_commit') || undefined;
  if (synchronousCommit !== undefined && !COMMITS.includes(synchronousCommit)) {
    throw new NightmarkError(use.codes.badAddress, `Unknown synchronous_commit=${synchronousCommit}.`, {
      hint: `There are: ${COMMITS.join(', ')}.`,
    });
  }
  const shown = `postgres://${url.host}${url.pathname} (schema ${schema})`;
  return { use, connection: url.href, shown, schema, synchronousCommit };
}

function taken(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name) ?? undefined;
  url.searchParams.delete(name);
  return value;
}

export interface PostgresServer {
  readonly pool: Pool;
  /** A connection beside the pool. */
  newClient(): Client;
}

export interface PostgresLimits {
  /** In the pool. */
  readonly connections: number;
  /** How long a connection and each answer may take; without it an answer may take any time. */
  readonly answerMs?: number | undefined;
}

const CONNECT_MS = 10_000;

/** No connection is made yet. The driver is loaded here: most homes have no use for it. */
export async function connectPostgres(
  { connection }: PostgresAddress,
  { connections, answerMs }: PostgresLimits,
): Promise<PostgresServer> {
  const { default: pg } = await import('pg');
  const config = {
    connectionString: connection,
    connectionTimeoutMillis: answerMs ?? CONNECT_MS,
    ...(answerMs !== undefined && { query_timeout: answerMs }),
    application_name: 'nightmark',
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, max: connections });
  pool.on('error', () => {}); // an idle connection was lost: the pool takes another
  return { pool, newClient: () => new pg.Client(config) };
}

/** A pool can be ended once only. */
export async function endPool(pool: Pool): Promise<void> {
  if (!pool.ended && !pool.ending) await pool.end();
}

/** SQLSTATE classes and system errors that say that the connection is gone, not that the statement is wrong. */
const LOST =
  /^(?:08|57P0[123])|^(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const LOST_MESSAGE =
  /Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout/;

export function isConnectionLost(error: unknown): boolean {
  if (error instanceof NightmarkError) return false;
  return LOST.test(codeOf(error)) || LOST_MESSAGE.test(messageOf(error));
}

/** Two transactions were in each other's way: one of them is done again. */
export function isInTheWay(error: unknown): boolean {
  return /^40(?:001|P01)$/.test(codeOf(error));
}

/** The table, or its schema, is not there. */
export function isNoTable(error: unknown): boolean {
  return PROBLEMS[codeOf(error)] === 'noTable';
}

export type PostgresProblem = 'denied' | 'notAllowed' | 'noDatabase' | 'noTable' | 'full' | 'crowded';

const PROBLEMS: Readonly<Record<string, PostgresProblem>> = {
  '28P01': 'denied',
  '28000': 'denied',
  '42501': 'notAllowed',
  '3D000': 'noDatabase',
  '3F000': 'noTable',
  '42P01': 'noTable',
  '53100': 'full',
  '53300': 'crowded',
};

const hintOf: Readonly<Record<PostgresProblem, (example: string) => string>> = {
  denied: () => 'Set PGUSER and PGPASSWORD, or NIGHTMARK_POSTGRES_URL with both.',
  notAllowed: (example) =>
    `The user needs CREATE on the database once: GRANT CREATE ON DATABASE ${example} TO nightmark;`,
  noDatabase: (example) => `Make it first: createdb ${example}`,
  noTable: () => 'The tables come with the first write: nightmark serve',
  full: () => 'The disk of the database server is full: make room there.',
  crowded: () => 'The server has no connection left: raise max_connections there, or connect less.',
};

/** The message of the server or the network, for people; no message of the driver holds a password. Unexpected errors stay as they are. */
export function postgresFailure(error: unknown, { shown, use }: PostgresAddress): unknown {
  if (error instanceof NightmarkError) return error;
  const reason = messageOf(error) || codeOf(error);
  if (isConnectionLost(error)) {
    return new NightmarkError(use.codes.unreachable, `${shown} cannot be reached: ${reason}`, {
      hint: 'Is the address right, and does the server run? pg_isready shows it.',
      cause: error,
    });
  }
  const problem = PROBLEMS[codeOf(error)];
  // A caller without a code for it checks for missing tables by itself.
  if (problem === undefined || (problem === 'noTable' && use.codes.noTable === undefined)) return error;
  return new NightmarkError(use.codes[problem] ?? use.codes.refused, `${shown}: ${reason}`, {
    hint: hintOf[problem](use.example),
    cause: error,
  });
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
