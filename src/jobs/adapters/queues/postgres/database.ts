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
import { bound, type Database, type Dialect, type Row, type Session, type Value } from '../session.ts';
import { POSTGRES_JSON } from './json.ts';
import { ADD_SEARCHED_COLUMNS, LAYOUT, TABLES } from './schema.ts';

export interface PostgresParts {
  readonly pool: Pool;
  readonly address: PostgresAddress;
  /** How long a lost connection is tried again. */
  readonly patienceMs: number;
  readonly tell: (message: string) => void;
}

/**
 * Claims go one after the other: passing over rows that are locked (SKIP LOCKED) would give the second rank of a job away to
 * nobody and its worker the next job, until every worker waits at a barrier.
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
const LONGEST_PAUSE_MS = 2_000;

export class PostgresDatabase implements Database {
  readonly dialect = DIALECT;
  readonly #parts: PostgresParts;

  constructor(parts: PostgresParts) {
    this.#parts = parts;
  }

  /** Whether the tables are there, as of today: to make sure of each of them takes as long as many a search. */
  async isPrepared(): Promise<boolean> {
    try {
      const [row] = await this.rows('SELECT layout FROM job_layout');
      return row?.['layout'] === LAYOUT;
    } catch (error) {
      if (isNoTable(error)) return false;
      throw error;
    }
  }

  /** Tables of the schema, made by whoever comes first. */
  async prepare(): Promise<void> {
    const { address } = this.#parts;
    const [row] = await this.atomically(async (session) => {
      await session.rows(DIALECT.lockClaims ?? '');
      await session.rows(TABLES);
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

  /** Outside of a transaction: must be such that twice is the same as once. */
  async rows<T extends Row>(sql: string, values: readonly Value[] = []): Promise<readonly T[]> {
    return this.#patiently(async () => (await this.#parts.pool.query<T>(sql, values.map(toDriver))).rows);
  }

  async atomically<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#patiently(async () => {
      const client = await this.#parts.pool.connect();
      const attempt: Attempt = { xid: undefined };
      try {
        const result = await transact(client, work, attempt);
        client.release();
        return result;
      } catch (error) {
        client.release(isConnectionLost(error));
        // The answer to COMMIT was lost: the server knows whether it was done.
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

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { address, patienceMs, tell } = this.#parts;
    let waited = 0;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const result = await work();
        if (waited > 0) tell(`The connection to ${address.shown} is back.`);
        return result;
      } catch (error) {
        if (isInTheWay(error)) continue;
        if (!isConnectionLost(error) || waited >= patienceMs) throw postgresFailure(error, address);
        if (waited === 0) tell(`The connection to ${address.shown} is lost; it is tried again.`);
        await sleep(pauseMs);
        waited += pauseMs;
      }
    }
  }
}

interface Attempt {
  xid: string | undefined;
  /** There when all is done but the COMMIT. */
  result?: unknown;
}

async function transact<T>(
  client: PoolClient,
  work: (session: Session) => Promise<T>,
  attempt: Attempt,
): Promise<T> {
  // Two statements with one answer each, sent at once.
  const begun = (await client.query('BEGIN; SELECT txid_current()::text AS xid')) as unknown as BeginAnswer;
  attempt.xid = begun[1].rows[0]?.xid;
  try {
    const result = await work({
      dialect: DIALECT,
      rows: async <R extends Row>(sql: string, values?: readonly Value[]) =>
        // Without values several statements may be sent together.
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
