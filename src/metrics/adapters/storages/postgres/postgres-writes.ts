import type { Client } from 'pg';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Block, BlockChange, LogRecord } from '../../../core/points/point-storage.ts';
import { columnValues, recordValues, toBuffer, valuesList } from './point-rows.ts';
import type { WriterSession } from './writer-session.ts';

interface Waiting {
  readonly record: LogRecord;
  readonly resolve: (number: number) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH_RECORDS = 1_000;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/**
 * Group commit: records that come during an insert go together into the next one, and the server syncs its disk once for
 * all. We assign the numbers, so an insert that is repeated after a lost connection adds nothing twice.
 */
export class AppendQueue {
  readonly #session: WriterSession;
  readonly #table: string;
  readonly #waiting: Waiting[] = [];
  #lastNumber: number;
  #isBusy = false;

  constructor(session: WriterSession, table: string, lastNumber: number) {
    this.#session = session;
    this.#table = table;
    this.#lastNumber = lastNumber;
  }

  append(record: LogRecord): Promise<number> {
    if (record.database.includes('\0')) {
      return Promise.reject(
        new NightmarkError('POINTS_BAD_NAME', 'The name of a database has a NUL character.'),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
      if (!this.#isBusy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchSize());
      const first = this.#lastNumber + 1;
      this.#lastNumber += batch.length;
      try {
        await this.#insert(batch, first);
        for (const [at, { resolve }] of batch.entries()) resolve(first + at);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isBusy = false;
  }

  #batchSize(): number {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ record }, at) => {
      bytes += record.body.length;
      return at === MAX_BATCH_RECORDS || (at > 0 && bytes > MAX_BATCH_BYTES);
    });
    return end === -1 ? this.#waiting.length : end;
  }

  #insert(batch: readonly Waiting[], first: number): Promise<unknown> {
    const text = `INSERT INTO ${this.#table} VALUES ${valuesList(batch.length, 8)} ON CONFLICT (number) DO NOTHING`;
    const values = batch.flatMap(({ record }, at) => recordValues(first + at, record));
    return this.#session.run((client) => client.query(text, values));
  }
}

export interface CommitOptions {
  readonly schema: string;
  /** Number of this change: it shows after a lost connection whether the change was committed. */
  readonly number: number;
}

const COLUMNS_AT_ONCE = 2_000;
const BLOCKS_AT_ONCE = 500;

/** Commits all of the change or nothing; once, however often it is retried. */
export async function commitChange(
  client: Client,
  { columns, blocks, replaced, upTo }: BlockChange,
  { schema, number }: CommitOptions,
): Promise<void> {
  await client.query('BEGIN');
  const { rowCount } = await client.query(
    `UPDATE ${schema}.point_facts SET changes = $1, settled_up_to = greatest(settled_up_to, $2) WHERE changes < $1`,
    [number, upTo],
  );
  if (rowCount === 0) {
    await client.query('ROLLBACK');
    return;
  }
  await client.query(`DELETE FROM ${schema}.point_blocks WHERE id = ANY($1::bigint[])`, [[...replaced]]);
  for (const part of slices(columns, COLUMNS_AT_ONCE)) {
    await client.query(
      `INSERT INTO ${schema}.point_columns VALUES ${valuesList(part.length, 4)} ON CONFLICT (number) DO NOTHING`,
      part.flatMap(columnValues),
    );
  }
  for (const part of slices(blocks, BLOCKS_AT_ONCE)) {
    await client.query(
      `INSERT INTO ${schema}.point_blocks (col, tier, first_ms, first_ns, last_ms, last_ns, count, bytes)
       VALUES ${valuesList(part.length, 8)}`,
      part.flatMap(blockValues),
    );
  }
  await client.query(`DELETE FROM ${schema}.point_log WHERE number <= $1`, [upTo]);
  await client.query('COMMIT');
}

function blockValues({ column, tier, first, last, count, bytes }: Block): unknown[] {
  return [column, tier, first.ms, first.ns, last.ms, last.ns, count, toBuffer(bytes)];
}

function* slices<T>(items: readonly T[], size: number): Iterable<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
