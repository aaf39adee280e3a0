import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  isConnectionLost,
  type PostgresAddress,
  postgresFailure,
} from '../../../../platform/adapters/postgres.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';

export interface SessionOptions {
  readonly address: PostgresAddress;
  readonly newClient: () => Client;
  /** Identifies this writer, to detect that another one wrote meanwhile. */
  readonly name: string;
  /** How long a lost connection is retried. */
  readonly retryMs: number;
  readonly report: (message: string) => void;
}

export interface SessionStart {
  readonly lastNumber: number;
  readonly changes: number;
}

/** The server may need some time to notice that the connection of a dead writer is gone. */
const LOCK_TRIES = 15;
const LOCK_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/**
 * The one connection that writes. It holds an advisory lock while it is open. When it is lost it is opened again and the
 * work is repeated, so all work must be idempotent.
 */
export class WriterSession {
  readonly #options: SessionOptions;
  #client: Client | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Lost, and reported. */
  #isLost = false;
  /** Work that comes after the retry timeout is tried once: its sender should know soon. */
  #isRetryOver = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async start(): Promise<SessionStart> {
    const { schema } = this.#options.address;
    try {
      const client = await this.#connect();
      await client.query(tablesOf(schema));
      const { rows } = await client.query<{ layout: number; settled: string; changes: string; last: string }>(
        `INSERT INTO ${schema}.point_facts VALUES (true, $1, $2, 0, 0)
         ON CONFLICT (one) DO UPDATE SET writer = excluded.writer
         RETURNING layout, settled_up_to AS settled, changes,
           (SELECT coalesce(max(number), 0) FROM ${schema}.point_log) AS last`,
        [LAYOUT, this.#options.name],
      );
      const [facts] = rows;
      if (facts === undefined || facts.layout !== LAYOUT) throw this.#otherLayout(facts?.layout);
      return {
        lastNumber: Math.max(Number(facts.settled), Number(facts.last)),
        changes: Number(facts.changes),
      };
    } catch (error) {
      await this.close();
      throw postgresFailure(error, this.#options.address);
    }
  }

  /** Work is done one after the other. */
  run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#attempt(work));
    this.#last = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    await this.#last;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  async #attempt<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { address, retryMs } = this.#options;
    let waited = 0;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const result = await work(this.#client ?? (await this.#reconnect()));
        this.#reportRestored();
        return result;
      } catch (error) {
        if (!isConnectionLost(error)) {
          await this.#client?.query('ROLLBACK').catch(() => {});
          throw postgresFailure(error, address);
        }
        this.#forget();
        this.#reportLost();
        this.#isRetryOver ||= waited >= retryMs;
        if (this.#isRetryOver) throw postgresFailure(error, address);
        await sleep(pauseMs);
        waited += pauseMs;
      }
    }
  }

  #reportLost(): void {
    const { address, report } = this.#options;
    if (!this.#isLost) report(`The connection to ${address.shown} is lost; retrying.`);
    this.#isLost = true;
  }

  #reportRestored(): void {
    const { address, report } = this.#options;
    if (this.#isLost) report(`The connection to ${address.shown} is back.`);
    this.#isLost = false;
    this.#isRetryOver = false;
  }

  #forget(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => {});
  }

  async #reconnect(): Promise<Client> {
    const { schema } = this.#options.address;
    const client = await this.#connect();
    const { rows } = await client.query<{ writer: string }>(`SELECT writer FROM ${schema}.point_facts`);
    if (rows[0]?.writer === this.#options.name) return client;
    this.#forget();
    throw this.#taken('Another process wrote to it while the connection was lost.');
  }

  async #connect(): Promise<Client> {
    const client = this.#options.newClient();
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    try {
      await client.connect();
      await this.#lock(client);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.#client = client; // not before: without the lock nothing may be written
    return client;
  }

  async #lock(client: Client): Promise<void> {
    const { address } = this.#options;
    if (address.synchronousCommit !== undefined) {
      await client.query(`SET synchronous_commit = ${address.synchronousCommit}`);
    }
    for (let tries = 1; ; tries++) {
      const { rows } = await client.query<{ is_ours: boolean }>(
        `SELECT pg_try_advisory_lock(hashtext('nightmark.points'), hashtext($1)) AS is_ours`,
        [address.schema],
      );
      if (rows[0]?.is_ours === true) return;
      if (tries === LOCK_TRIES) throw this.#taken('Another process writes to it.');
      await sleep(LOCK_PAUSE_MS);
    }
  }

  #taken(why: string): NightmarkError {
    return new NightmarkError('POINTS_SHELF_IN_USE', `${this.#options.address.shown} is in use. ${why}`, {
      hint: 'One server writes, others may read. Stop the other one, or take another schema: ?schema=name',
    });
  }

  #otherLayout(layout: number | undefined): NightmarkError {
    const { shown } = this.#options.address;
    return new NightmarkError('POINTS_TOO_NEW', `${shown} has tables of layout ${layout}, not ${LAYOUT}.`, {
      hint: 'They were made by another version: use that one, or another schema (?schema=name).',
    });
  }
}

/** The layout of the tables; a later one migrates from it. */
const LAYOUT = 1;

/**
 * Keys of columns are JSON because a tag may hold NUL, which text of PostgreSQL cannot. Bodies and blocks are stored out of
 * line and uncompressed: blocks are compressed already, and lines are deleted soon. The queue of jobs may create the same
 * schema concurrently, which IF NOT EXISTS does not handle: both take the same lock.
 */
function tablesOf(schema: string): string {
  return `
    SELECT pg_advisory_xact_lock(hashtext('nightmark.schema'));
    CREATE SCHEMA IF NOT EXISTS ${schema};
    CREATE TABLE IF NOT EXISTS ${schema}.point_facts (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      layout integer NOT NULL,
      writer text NOT NULL,
      settled_up_to bigint NOT NULL,
      changes bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS ${schema}.point_log (
      number bigint PRIMARY KEY,
      database text NOT NULL,
      kind text NOT NULL,
      precision text NOT NULL,
      received_ms bigint NOT NULL,
      received_ns integer NOT NULL,
      keeps_not_finite boolean NOT NULL,
      body bytea NOT NULL
    );
    CREATE TABLE IF NOT EXISTS ${schema}.point_databases (name text PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS ${schema}.point_columns (
      number bigint PRIMARY KEY,
      database text NOT NULL,
      type smallint NOT NULL,
      key text NOT NULL
    );
    CREATE INDEX IF NOT EXISTS point_columns_database ON ${schema}.point_columns (database);
    CREATE TABLE IF NOT EXISTS ${schema}.point_blocks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      col bigint NOT NULL,
      tier smallint NOT NULL,
      first_ms bigint NOT NULL,
      first_ns integer NOT NULL,
      last_ms bigint NOT NULL,
      last_ns integer NOT NULL,
      count integer NOT NULL,
      bytes bytea NOT NULL
    );
    CREATE INDEX IF NOT EXISTS point_blocks_time ON ${schema}.point_blocks (col, tier, last_ms, last_ns);
    ALTER TABLE ${schema}.point_log ALTER COLUMN body SET STORAGE EXTERNAL;
    ALTER TABLE ${schema}.point_blocks ALTER COLUMN bytes SET STORAGE EXTERNAL;
  `;
}
