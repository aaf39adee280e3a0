import { NightmarkError } from '../../../../platform/core/errors.ts';
import type {
  BlockChange,
  BlockQuery,
  LogRecord,
  NumberedRecord,
  PointStorage,
  StorageSize,
  StoredBlock,
  StoredColumn,
} from '../../../core/points/point-storage.ts';
import { AppendQueue } from './append-queue.ts';
import { settleOnce } from './settle.ts';
import type { ShelfReading } from './shelf-reading.ts';
import type { SessionStart, WriterSession } from './writer-session.ts';

/** What only the writer has. */
export interface ShelfWriting {
  readonly session: WriterSession;
  readonly start: SessionStart;
}

export class PostgresShelf implements PointStorage {
  readonly id = 'postgres';
  readonly #schema: string;
  readonly #reading: ShelfReading;
  readonly #session: WriterSession | undefined;
  readonly #queue: AppendQueue | undefined;
  #changes: number;

  constructor(schema: string, reading: ShelfReading, writing?: ShelfWriting) {
    this.#schema = schema;
    this.#reading = reading;
    this.#session = writing?.session;
    this.#queue =
      writing && new AppendQueue(writing.session, `${schema}.point_log`, writing.start.lastNumber);
    this.#changes = writing?.start.changes ?? 0;
  }

  async appendLog(record: LogRecord): Promise<number> {
    if (this.#queue === undefined) throw onlyReading();
    return this.#queue.append(record);
  }

  readLog(after = 0): AsyncIterable<NumberedRecord> {
    return this.#reading.log(after);
  }

  settledUpTo(): Promise<number> {
    return this.#reading.settledUpTo();
  }

  async settle(change: BlockChange): Promise<void> {
    const options = { schema: this.#schema, number: ++this.#changes };
    await this.#writer().run((client) => settleOnce(client, change, options));
  }

  databases(): Promise<readonly string[]> {
    return this.#reading.databases();
  }

  async createDatabase(name: string): Promise<void> {
    if (name.includes('\0')) {
      throw new NightmarkError('POINTS_BAD_NAME', 'The name of a database has a NUL character.');
    }
    const text = `INSERT INTO ${this.#schema}.point_databases VALUES ($1) ON CONFLICT DO NOTHING`;
    await this.#writer().run((client) => client.query(text, [name]));
  }

  async dropDatabase(name: string): Promise<void> {
    const schema = this.#schema;
    // One statement is one transaction.
    const text = `WITH gone AS (DELETE FROM ${schema}.point_columns WHERE database = $1 RETURNING number),
      blocks AS (DELETE FROM ${schema}.point_blocks WHERE col IN (SELECT number FROM gone))
      DELETE FROM ${schema}.point_databases WHERE name = $1`;
    await this.#writer().run((client) => client.query(text, [name]));
  }

  columns(from = 0): Promise<readonly StoredColumn[]> {
    return this.#reading.columns(from);
  }

  blocks(query: BlockQuery): AsyncIterable<StoredBlock> {
    return this.#reading.blocks(query);
  }

  lastBlocks(columns: readonly number[]): AsyncIterable<StoredBlock> {
    return this.#reading.lastBlocks(columns);
  }

  async deleteColumns(columns: readonly number[]): Promise<void> {
    const text = `WITH blocks AS (DELETE FROM ${this.#schema}.point_blocks WHERE col = ANY($1::bigint[]))
      DELETE FROM ${this.#schema}.point_columns WHERE number = ANY($1::bigint[])`;
    await this.#writer().run((client) => client.query(text, [[...columns]]));
  }

  size(database: string): Promise<StorageSize> {
    return this.#reading.size(database);
  }

  async close(): Promise<void> {
    await this.#session?.close();
    await this.#reading.close();
  }

  #writer(): WriterSession {
    if (this.#session === undefined) throw onlyReading();
    return this.#session;
  }
}

function onlyReading(): NightmarkError {
  return new NightmarkError('POINTS_READ_ONLY', 'The points were opened for reading only.', {
    hint: 'Write through the server that holds them.',
  });
}
