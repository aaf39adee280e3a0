import { randomUUID } from 'node:crypto';
import {
  connectPostgres,
  type PostgresUse,
  postgresAddress,
  postgresFailure,
} from '../../../../platform/adapters/postgres.ts';
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
import { PostgresReader } from './postgres-reader.ts';
import { AppendQueue, commitChange } from './postgres-writes.ts';
import { type SessionStart, WriterSession } from './writer-session.ts';

export interface PostgresOptions {
  /** Reads while another process writes. */
  readonly readOnly?: boolean;
  /** How long a lost connection is retried before a write fails; 5 seconds by default, which senders wait for. */
  readonly retryMs?: number;
  /** Timeout of a connection and of each query. */
  readonly answerMs?: number;
  /** Reports that a connection is lost or restored. */
  readonly report?: (message: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const RETRY_MS = 5_000;
const READERS = 8;
const POINTS: PostgresUse = {
  example: 'metrics',
  codes: {
    badAddress: 'POINTS_BAD_ADDRESS',
    secretInAddress: 'POINTS_SECRET_IN_ADDRESS',
    unreachable: 'POINTS_POSTGRES_UNREACHABLE',
    refused: 'POINTS_POSTGRES_DENIED',
    noDatabase: 'POINTS_POSTGRES_NO_DATABASE',
    noTable: 'POINTS_NO_SHELF',
    full: 'POINTS_POSTGRES_FULL',
  },
};

/** Points in a PostgreSQL database. `place`: its address, or empty for that in NIGHTMARK_POSTGRES_URL. */
async function openPostgresStorage(place: string, options: PostgresOptions = {}): Promise<PointStorage> {
  const given = postgresAddress(place, options.env ?? process.env, POINTS);
  // Quoted: its name may be a keyword of SQL.
  const address = { ...given, schema: `"${given.schema}"` };
  const { pool, newClient } = await connectPostgres(address, {
    connections: READERS,
    answerMs: options.answerMs,
  });
  const reading = new PostgresReader(pool, address);
  const session = new WriterSession({
    address,
    newClient,
    name: randomUUID(),
    retryMs: options.retryMs ?? RETRY_MS,
    report: options.report ?? (() => {}),
  });
  try {
    if (options.readOnly !== true) {
      return new PostgresStorage(address.schema, reading, { session, start: await session.start() });
    }
    await pool.query(`SELECT 1 FROM ${address.schema}.point_facts`);
    return new PostgresStorage(address.schema, reading);
  } catch (error) {
    await pool.end();
    throw postgresFailure(error, address);
  }
}

export default openPostgresStorage;

/** What only the writer has. */
export interface StorageWriter {
  readonly session: WriterSession;
  readonly start: SessionStart;
}

class PostgresStorage implements PointStorage {
  readonly id = 'postgres';
  readonly #schema: string;
  readonly #reading: PostgresReader;
  readonly #session: WriterSession | undefined;
  readonly #queue: AppendQueue | undefined;
  #changes: number;

  constructor(schema: string, reading: PostgresReader, writing?: StorageWriter) {
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

  flushedUpTo(): Promise<number> {
    return this.#reading.flushedUpTo();
  }

  async commit(change: BlockChange): Promise<void> {
    const options = { schema: this.#schema, number: ++this.#changes };
    await this.#writer().run((client) => commitChange(client, change, options));
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
