import { randomUUID } from 'node:crypto';
import type { ClientConfig } from 'pg';
import type { PointShelf } from '../../../core/ports/point-shelf.ts';
import { postgresAddress } from './address.ts';
import { postgresFailure } from './failures.ts';
import { PostgresShelf } from './postgres-shelf.ts';
import { ShelfReading } from './shelf-reading.ts';
import { WriterSession } from './writer-session.ts';

export interface PostgresOptions {
  /** Reads beside the process that writes. */
  readonly readOnly?: boolean;
  /** How long a lost connection is tried again before a write fails; 5 seconds unless told, which senders wait for. */
  readonly patienceMs?: number;
  /** How long a connection and each answer may take. */
  readonly answerMs?: number;
  /** Where it is said that a connection is lost or back. */
  readonly tell?: (message: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const CONNECT_MS = 10_000;
const PATIENCE_MS = 5_000;
const READERS = 8;

/** Points in a PostgreSQL database. `place`: its address, or empty for that in NIGHTMARK_POSTGRES_URL. */
export async function openPostgresShelf(place: string, options: PostgresOptions = {}): Promise<PointShelf> {
  const address = postgresAddress(place, options.env ?? process.env);
  const { default: pg } = await import('pg'); // most homes have no use for it
  const config: ClientConfig = {
    connectionString: address.connection,
    connectionTimeoutMillis: options.answerMs ?? CONNECT_MS,
    ...(options.answerMs !== undefined && { query_timeout: options.answerMs }),
    application_name: 'nightmark',
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, max: READERS });
  pool.on('error', () => {}); // an idle connection was lost: the pool takes another
  const reading = new ShelfReading(pool, address);
  const session = new WriterSession({
    address,
    newClient: () => new pg.Client(config),
    name: randomUUID(),
    patienceMs: options.patienceMs ?? PATIENCE_MS,
    tell: options.tell ?? (() => {}),
  });
  try {
    if (options.readOnly !== true) {
      return new PostgresShelf(address.schema, reading, { session, start: await session.start() });
    }
    await pool.query(`SELECT 1 FROM ${address.schema}.point_facts`);
    return new PostgresShelf(address.schema, reading);
  } catch (error) {
    await pool.end();
    throw postgresFailure(error, address.shown);
  }
}
