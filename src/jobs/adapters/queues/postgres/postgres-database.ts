import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import {
  endPool,
  isConnectionLost,
  isInTheWay,
  isNoTable,
  type PostgresAddress,
  postgresFailure,
} from '../../../../platform/adapters/postgres.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { fillSearchColumns } from '../search-columns.ts';
import { bound, type Database, type Dialect, type Row, type Session, type Value } from '../sql-database.ts';
import { POSTGRES_JSON } from './postgres-json.ts';

export interface PostgresParts {
  readonly pool: Pool;
  readonly address: PostgresAddress;
  /** How long to try to reconnect. */
  readonly reconnectMs: number;
  readonly notify: (message: string) => void;
}

/**
 * Claims are serialized: SKIP LOCKED would skip the second rank of a job and give its worker the next job, until every worker
 * waits at a barrier.
 */
const DIALECT: Dialect = {
  isOneOf: (column, value) => `${column} = ANY (ARRAY(SELECT jsonb_array_elements_text(${value}::jsonb)))`,
  forUpdate: ' FOR UPDATE',
  json: POSTGRES_JSON,
  quoted: (column) => `to_json(${column})::text`,
  joined: (text) => `string_agg(${text}, ',')`,
  lockClaims: `SELECT pg_advisory_xact_lock(hashtext('nightmark.jobs'), hashtext(current_schema()))`,
  place: (text, part) => `strpos(${text}, ${part})`,
  finds: (text, pattern) => `${text} ~ ${pattern}`,
};
const MAX_PAUSE_MS = 2_000;

export class PostgresDatabase implements Database {
  readonly dialect = DIALECT;
  readonly #parts: PostgresParts;

  constructor(parts: PostgresParts) {
    this.#parts = parts;
  }

  /** Whether the current tables exist: creating them IF NOT EXISTS takes as long as a search. */
  async isPrepared(): Promise<boolean> {
    try {
      const [row] = await this.rows('SELECT layout FROM job_layout');
      return row?.['layout'] === LAYOUT;
    } catch (error) {
      if (isNoTable(error)) return false;
      throw error;
    }
  }

  /** Creates or migrates the tables. */
  async prepare(): Promise<void> {
    const { address } = this.#parts;
    const [row] = await this.atomically(async (session) => {
      await session.rows(DIALECT.lockClaims ?? '');
      await session.rows(POSTGRES_TABLES);
      await session.rows('INSERT INTO job_layout (layout) VALUES ($1) ON CONFLICT DO NOTHING', [LAYOUT]);
      const known = await session.rows('SELECT layout FROM job_layout');
      if (Number(known[0]?.['layout']) >= LAYOUT) return known;
      await session.rows(ADD_SEARCHED_COLUMNS);
      await fillSearchColumns(session);
      return session.rows('UPDATE job_layout SET layout = $1 RETURNING layout', [LAYOUT]);
    });
    if (row?.['layout'] === LAYOUT) return;
    const message = `${address.shown} has tables of jobs of layout ${row?.['layout']}, not ${LAYOUT}.`;
    throw new NightmarkError('JOBS_TOO_NEW', message, {
      hint: 'They were made by another version: use that one, or another schema (?schema=name).',
    });
  }

  /** Outside of a transaction: the statement must be idempotent. */
  async rows<T extends Row>(sql: string, values: readonly Value[] = []): Promise<readonly T[]> {
    return this.#withReconnect(async () => (await this.#parts.pool.query<T>(sql, values.map(toDriver))).rows);
  }

  async atomically<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#withReconnect(async () => {
      const client = await this.#parts.pool.connect();
      const attempt: Attempt = { xid: undefined };
      try {
        const result = await transact(client, work, attempt);
        client.release();
        return result;
      } catch (error) {
        client.release(isConnectionLost(error));
        // The answer to COMMIT was lost: the server knows whether it succeeded.
        if (!isConnectionLost(error) || attempt.xid === undefined || !('result' in attempt)) throw error;
        if (await this.#isCommitted(attempt.xid)) return attempt.result as T;
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await endPool(this.#parts.pool);
  }

  async #isCommitted(xid: string): Promise<boolean> {
    for (;;) {
      const [row] = await this.rows<Row & { state: string }>('SELECT txid_status($1::bigint) AS state', [
        xid,
      ]);
      if (row?.state !== 'in progress') return row?.state === 'committed';
      await sleep(50);
    }
  }

  async #withReconnect<T>(work: () => Promise<T>): Promise<T> {
    const { address, reconnectMs, notify } = this.#parts;
    let waited = 0;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        const result = await work();
        if (waited > 0) notify(`The connection to ${address.shown} is back.`);
        return result;
      } catch (error) {
        if (isInTheWay(error)) continue;
        if (!isConnectionLost(error) || waited >= reconnectMs) throw postgresFailure(error, address);
        if (waited === 0) notify(`The connection to ${address.shown} is lost; retrying.`);
        await sleep(pauseMs);
        waited += pauseMs;
      }
    }
  }
}

interface Attempt {
  xid: string | undefined;
  /** Set when everything but the COMMIT is done. */
  result?: unknown;
}

async function transact<T>(
  client: PoolClient,
  work: (session: Session) => Promise<T>,
  attempt: Attempt,
): Promise<T> {
  // Two statements in one round trip.
  const begun = (await client.query('BEGIN; SELECT txid_current()::text AS xid')) as unknown as BeginAnswer;
  attempt.xid = begun[1].rows[0]?.xid;
  try {
    const result = await work({
      dialect: DIALECT,
      rows: async <R extends Row>(sql: string, values?: readonly Value[]) =>
        // Without parameters several statements may be sent together.
        (await client.query<R>(sql, values?.map(toDriver))).rows,
    });
    attempt.result = result;
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (!isConnectionLost(error)) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

type BeginAnswer = readonly [unknown, { readonly rows: readonly { readonly xid: string }[] }];

function toDriver(value: Value): Value {
  const known = bound(value);
  return known instanceof Uint8Array ? Buffer.from(known.buffer, known.byteOffset, known.byteLength) : known;
}

/** The layout of the tables; a later one migrates from it. */
const LAYOUT = 4;

/**
 * Documents are texts and not jsonb, which would put keys into another order; what is searched is both. Times are milliseconds since 1970.
 */
const POSTGRES_TABLES = `
  CREATE TABLE IF NOT EXISTS job_layout (one boolean PRIMARY KEY DEFAULT true CHECK (one), layout integer NOT NULL);
  CREATE TABLE IF NOT EXISTS jobs (
    id text COLLATE "C" PRIMARY KEY, created_at double precision NOT NULL, user_name text NOT NULL, project text NOT NULL,
    experiment text NOT NULL, name text NOT NULL, description text NOT NULL, sweep text NOT NULL, executor text NOT NULL,
    package text NOT NULL, workers integer NOT NULL, priority double precision NOT NULL, status text NOT NULL,
    attempt integer NOT NULL, lost integer NOT NULL, registered integer NOT NULL, blockers integer NOT NULL,
    open integer NOT NULL, not_before double precision NOT NULL, heartbeat_at double precision, odd_keys text NOT NULL DEFAULT '',
    searched_spec jsonb NOT NULL DEFAULT '{}', searched_config jsonb NOT NULL DEFAULT '{}',
    searched_facts jsonb NOT NULL DEFAULT '{}'
  );
  CREATE INDEX IF NOT EXISTS jobs_by_turn ON jobs (executor, open DESC, priority DESC, created_at, id) WHERE open > 0;
  CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (created_at DESC, id DESC);
  CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, created_at DESC, id DESC);
  CREATE INDEX IF NOT EXISTS jobs_by_package ON jobs (package) WHERE package <> '';
  CREATE TABLE IF NOT EXISTS job_documents (id text COLLATE "C" PRIMARY KEY, spec text NOT NULL, facts text NOT NULL,
    config text NOT NULL DEFAULT '{}');
  CREATE TABLE IF NOT EXISTS job_ranks (
    job_id text COLLATE "C" NOT NULL, rank integer NOT NULL, host text NOT NULL, pid integer NOT NULL,
    incarnation text NOT NULL, heartbeat_at double precision NOT NULL, ref text, done integer NOT NULL,
    PRIMARY KEY (job_id, rank)
  );
  CREATE TABLE IF NOT EXISTS job_arrivals (
    job_id text COLLATE "C" NOT NULL, barrier text NOT NULL, rank integer NOT NULL, PRIMARY KEY (job_id, barrier, rank)
  );
  CREATE TABLE IF NOT EXISTS job_after (
    job_id text COLLATE "C" NOT NULL, after_id text COLLATE "C" NOT NULL, PRIMARY KEY (job_id, after_id)
  );
  CREATE INDEX IF NOT EXISTS job_after_by_after ON job_after (after_id);
  CREATE TABLE IF NOT EXISTS job_logs (
    job_id text COLLATE "C" NOT NULL, number integer NOT NULL, is_tail integer NOT NULL, size integer NOT NULL,
    entries integer NOT NULL, body text NOT NULL, PRIMARY KEY (job_id, number)
  );
  CREATE TABLE IF NOT EXISTS job_log_sizes (
    job_id text COLLATE "C" PRIMARY KEY, next_number integer NOT NULL, head integer NOT NULL, tail integer NOT NULL,
    left_out integer NOT NULL
  );
  CREATE TABLE IF NOT EXISTS job_packages (
    hash text PRIMARY KEY, upload text NOT NULL, saved_at double precision NOT NULL
  );
  CREATE TABLE IF NOT EXISTS job_package_pieces (
    upload text NOT NULL, number integer NOT NULL, saved_at double precision NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (upload, number)
  );
`;

/**
 * From layout 1, which had no such columns, 2, which had texts, and 3, which had configurations with the jobs; they are filled by
 * fillSearchColumns.
 */
const ADD_SEARCHED_COLUMNS = `
  ALTER TABLE job_documents ADD COLUMN IF NOT EXISTS config text NOT NULL DEFAULT '{}';
  UPDATE job_documents d SET config = j.config FROM jobs j WHERE j.id = d.id;
  ALTER TABLE jobs
    DROP COLUMN IF EXISTS search_spec,
    DROP COLUMN IF EXISTS search_facts,
    DROP COLUMN IF EXISTS config,
    ADD COLUMN IF NOT EXISTS odd_keys text NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS searched_spec jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN IF NOT EXISTS searched_config jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN IF NOT EXISTS searched_facts jsonb NOT NULL DEFAULT '{}';
`;
