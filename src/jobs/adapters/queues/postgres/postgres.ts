import {
  connectPostgres,
  type PostgresAddress,
  type PostgresUse,
  postgresAddress,
} from '../../../../platform/adapters/postgres.ts';
import type { JobQueue } from '../../../core/job-queue.ts';
import type { Database, Row } from '../sql-database.ts';
import { sqlQueue } from '../sql-queue.ts';
import { packageRows } from './package-rows.ts';
import { PostgresDatabase } from './postgres-database.ts';

export interface PostgresQueueOptions {
  /** Address of the server; empty for that in NIGHTMARK_POSTGRES_URL. */
  readonly place: string;
  /** Instead of the time of the server, for tests. */
  readonly now?: () => number;
  /** How long to try to reconnect before a call fails; default 30 seconds. */
  readonly reconnectMs?: number;
  /** Called when the connection is lost or restored. */
  readonly notify?: (message: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const RECONNECT_FOR_MS = 30_000;
/** Workers are many, and connections of a server few. */
const CONNECTIONS = 4;
const JOBS: PostgresUse = {
  example: 'jobs',
  codes: {
    badAddress: 'JOBS_BAD_ADDRESS',
    secretInAddress: 'JOBS_SECRET_IN_ADDRESS',
    unreachable: 'JOBS_POSTGRES_UNREACHABLE',
    refused: 'JOBS_POSTGRES_REFUSED',
  },
};

/** The address of a queue, with settings for each connection. */
export function queueAddress(
  place: string,
  env: Readonly<Record<string, string | undefined>>,
): PostgresAddress {
  const address = postgresAddress(place, env, JOBS);
  const { schema, synchronousCommit: commit } = address;
  const url = new URL(address.connection);
  // Compiling a search takes longer than running it.
  const settings = ['-c jit=off', url.searchParams.get('options') ?? '', `-c search_path=${schema}`];
  if (commit !== undefined) settings.push(`-c synchronous_commit=${commit}`);
  url.searchParams.set('options', settings.join(' '));
  return { ...address, connection: url.href };
}

/** Jobs in a PostgreSQL database, for workers on many machines. */
async function openPostgresQueue(options: PostgresQueueOptions): Promise<JobQueue> {
  const address = queueAddress(options.place, options.env ?? process.env);
  const { pool } = await connectPostgres(address, { connections: CONNECTIONS });
  const { reconnectMs = RECONNECT_FOR_MS, notify = () => {} } = options;
  const database = new PostgresDatabase({ pool, address, reconnectMs, notify });
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

/** A user without the right to create schemas may use an existing one. */
async function makeSchema(database: PostgresDatabase, schema: string): Promise<void> {
  const known = await database.rows('SELECT 1 AS one FROM pg_namespace WHERE nspname = $1', [schema]);
  if (known.length === 0) {
    await database.atomically(async (session) => {
      // IF NOT EXISTS does not prevent a conflict of two concurrent calls.
      await session.rows(`SELECT pg_advisory_xact_lock(hashtext('nightmark.schema'))`);
      await session.rows(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    });
  }
  await database.prepare();
}

export default openPostgresQueue;

const MEASURES = 3;
const AGAIN_MS = 60_000;

/** The time of the server, as an offset of the local clock, so that all machines share one time. */
class ServerClock {
  readonly #database: Database;
  #offset = 0;
  #measuredAt = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  now(): number {
    if (performance.now() - this.#measuredAt > AGAIN_MS) {
      this.#measuredAt = performance.now();
      // An unreachable server is reported by the next query.
      this.measure().catch(() => undefined);
    }
    return Date.now() + this.#offset;
  }

  /** The fastest of some round trips is the most exact: the error is at most half of it. */
  async measure(): Promise<void> {
    let quickest = Number.POSITIVE_INFINITY;
    for (let count = 0; count < MEASURES; count++) {
      const sent = Date.now();
      const start = performance.now();
      const [row] = await this.#database.rows<Row & { ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms',
      );
      const took = performance.now() - start;
      if (row === undefined || took >= quickest) continue;
      quickest = took;
      this.#offset = Math.round(row.ms - (sent + took / 2));
    }
    this.#measuredAt = performance.now();
  }
}
