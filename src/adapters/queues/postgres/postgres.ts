import type { JobQueue } from '../../../core/ports/job-queue.ts';
import { sqlQueue } from '../sql-queue.ts';
import { postgresAddress } from './address.ts';
import { PostgresDatabase } from './database.ts';
import { packageRows } from './package-rows.ts';
import { ServerClock } from './server-clock.ts';

export interface PostgresQueueOptions {
  /** Address of the server; empty for that in NIGHTMARK_POSTGRES_URL. */
  readonly place: string;
  /** Instead of the time of the server, for tests. */
  readonly now?: () => number;
  /** How long a lost connection is tried again before a call fails; 30 seconds unless told. */
  readonly patienceMs?: number;
  /** Where it is said that a connection is lost or back. */
  readonly tell?: (message: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const CONNECT_MS = 10_000;
const PATIENCE_MS = 30_000;
/** Workers are many, and connections of a server few. */
const CONNECTIONS = 4;

/** Jobs in a PostgreSQL database, for workers on many machines. */
export async function openPostgresQueue(options: PostgresQueueOptions): Promise<JobQueue> {
  const address = postgresAddress(options.place, options.env ?? process.env);
  const { default: pg } = await import('pg'); // most homes have no use for it
  const pool = new pg.Pool({
    connectionString: address.connection,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'nightmark',
    keepAlive: true,
    max: CONNECTIONS,
  });
  pool.on('error', () => {}); // an idle connection was lost: the pool takes another
  const { patienceMs = PATIENCE_MS, tell = () => {} } = options;
  const database = new PostgresDatabase({ pool, address, patienceMs, tell });
  try {
    if (!(await database.isPrepared())) await makeSchema(database, address.schema);
    const clock = new ServerClock(database);
    if (options.now === undefined) await clock.measure();
    const now = options.now ?? (() => clock.now());
    return sqlQueue({ id: 'postgres', database, packages: packageRows(database, now), now });
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** A user without the right to make schemas may use one that is there. */
async function makeSchema(database: PostgresDatabase, schema: string): Promise<void> {
  const known = await database.rows('SELECT 1 AS one FROM pg_namespace WHERE nspname = $1', [schema]);
  if (known.length === 0) {
    await database.atomically(async (session) => {
      // Two at once would be in each other's way in spite of IF NOT EXISTS.
      await session.rows(`SELECT pg_advisory_xact_lock(hashtext('nightmark.schema'))`);
      await session.rows(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    });
  }
  await database.prepare();
}
