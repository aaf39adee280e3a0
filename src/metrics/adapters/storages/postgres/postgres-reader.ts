import type { Pool, PoolClient, QueryResultRow } from 'pg';
import {
  endPool,
  isConnectionLost,
  type PostgresAddress,
  postgresFailure,
} from '../../../../platform/adapters/postgres.ts';
import type {
  BlockQuery,
  NumberedRecord,
  StorageSize,
  StoredBlock,
  StoredColumn,
} from '../../../core/points/point-storage.ts';
import type { Timestamp } from '../../../core/points/points.ts';
import { type BlockRow, type ColumnRow, type LogRow, toBlock, toColumn, toRecord } from './point-rows.ts';

/** Queries of readers and of the writer, over a pool of connections. */
export class PostgresReader {
  readonly #pool: Pool;
  readonly #address: PostgresAddress;

  constructor(pool: Pool, address: PostgresAddress) {
    this.#pool = pool;
    this.#address = address;
  }

  async *log(after: number): AsyncIterable<NumberedRecord> {
    const text = `SELECT * FROM ${this.#schema}.point_log WHERE number > ${after} ORDER BY number`;
    for await (const row of this.#stream<LogRow>({ text, values: [] }, ({ body }) => body.length)) {
      yield toRecord(row);
    }
  }

  async flushedUpTo(): Promise<number> {
    const text = `SELECT settled_up_to AS settled FROM ${this.#schema}.point_facts`;
    const [row] = await this.#query<{ settled: string }>({ text, values: [] });
    return Number(row?.settled ?? 0);
  }

  async databases(): Promise<readonly string[]> {
    const rows = await this.#query<{ name: string }>({
      text: `SELECT name FROM ${this.#schema}.point_databases`,
      values: [],
    });
    // Sorted here: the order of the server depends on its locale.
    return rows.map(({ name }) => name).sort();
  }

  async columns(from: number): Promise<readonly StoredColumn[]> {
    const text = `SELECT number, database, type, key FROM ${this.#schema}.point_columns WHERE number >= $1 ORDER BY number`;
    return (await this.#query<ColumnRow>({ text, values: [from] })).map(toColumn);
  }

  async *blocks({ columns, range, tier, isNewestFirst }: BlockQuery): AsyncIterable<StoredBlock> {
    const values: unknown[] = [columns, tier];
    const bound = (comparison: string, end: Timestamp | undefined) => {
      if (end === undefined) return '';
      // Stored milliseconds are integers: a fraction means the next one.
      values.push(Math.ceil(end.ms), Number.isInteger(end.ms) ? end.ns : 0);
      return ` AND ${comparison} ($${values.length - 1}::bigint, $${values.length}::integer)`;
    };
    const text = `SELECT b.* FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (col, at)
      JOIN ${this.#schema}.point_blocks b ON b.col = wanted.col WHERE tier = $2
      ${bound('(last_ms, last_ns) >=', range.from)}${bound('(first_ms, first_ns) <', range.to)}
      ORDER BY wanted.at, ${isNewestFirst ? 'first_ms DESC, first_ns DESC, id DESC' : 'first_ms, first_ns, id'}`;
    yield* this.#blocks({ text, values });
  }

  async *lastBlocks(columns: readonly number[]): AsyncIterable<StoredBlock> {
    const text = `SELECT last.* FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (col, at)
      CROSS JOIN LATERAL (
        SELECT * FROM ${this.#schema}.point_blocks WHERE col = wanted.col AND tier = 0
        ORDER BY last_ms DESC, last_ns DESC, id DESC LIMIT 1
      ) AS last ORDER BY wanted.at`;
    yield* this.#blocks({ text, values: [columns] });
  }

  async size(database: string): Promise<StorageSize> {
    const schema = this.#schema;
    const text = `SELECT
      (SELECT count(*) FROM ${schema}.point_columns WHERE database = $1) AS columns,
      count(b.id) AS blocks, coalesce(sum(b.count), 0) AS points, coalesce(sum(octet_length(b.bytes)), 0) AS bytes,
      (SELECT coalesce(sum(octet_length(body)), 0) FROM ${schema}.point_log WHERE database = $1) AS log
      FROM ${schema}.point_columns c JOIN ${schema}.point_blocks b ON b.col = c.number WHERE c.database = $1`;
    const [row] = await this.#query<Record<string, string>>({ text, values: [database] });
    const number = (name: string) => Number(row?.[name] ?? 0);
    return {
      columns: number('columns'),
      blocks: number('blocks'),
      points: number('points'),
      bytes: number('bytes'),
      logBytes: number('log'),
    };
  }

  async close(): Promise<void> {
    await endPool(this.#pool);
  }

  get #schema(): string {
    return this.#address.schema;
  }

  async *#blocks(query: RowQuery): AsyncIterable<StoredBlock> {
    for await (const row of this.#stream<BlockRow>(query, ({ bytes }) => bytes.length)) yield toBlock(row);
  }

  async *#stream<T extends QueryResultRow>(query: RowQuery, sizeOf: (row: T) => number): AsyncIterable<T> {
    try {
      yield* streamRows<T>(this.#pool, query, sizeOf);
    } catch (error) {
      throw postgresFailure(error, this.#address);
    }
  }

  /** A connection of the pool may have died while idle: one retry on another. */
  async #query<T extends QueryResultRow>(query: RowQuery): Promise<readonly T[]> {
    const once = async () => (await this.#pool.query<T>(query.text, [...query.values])).rows;
    try {
      return await once().catch((error: unknown) => {
        if (isConnectionLost(error)) return once();
        throw error;
      });
    } catch (error) {
      throw postgresFailure(error, this.#address);
    }
  }
}

export interface RowQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Bytes of rows that are held at a time. */
const FETCH_BYTES = 4 * 1024 * 1024;
const MAX_FETCH_ROWS = 500;

/** Rows of a result of any size through a cursor; the fetch size follows from the size of rows. */
async function* streamRows<T extends QueryResultRow>(
  pool: Pool,
  { text, values }: RowQuery,
  sizeOf: (row: T) => number,
): AsyncIterable<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`DECLARE piece NO SCROLL CURSOR FOR ${text}`, [...values]);
    let count = 8;
    for (;;) {
      const { rows } = await client.query<T>(`FETCH ${count} FROM piece`);
      if (rows.length === 0) break;
      yield* rows;
      if (rows.length < count) break;
      const bytes = rows.reduce((sum, row) => sum + sizeOf(row) + 100, 0);
      count = Math.max(1, Math.min(MAX_FETCH_ROWS, Math.floor((FETCH_BYTES * rows.length) / bytes)));
    }
    isBroken = false;
  } finally {
    await release(client, isBroken);
  }
}

/** Also called when the reader stops early. A connection that cannot roll back is closed. */
async function release(client: PoolClient, isBroken: boolean): Promise<void> {
  try {
    await client.query(isBroken ? 'ROLLBACK' : 'COMMIT');
    client.release();
  } catch {
    client.release(true);
  }
}
