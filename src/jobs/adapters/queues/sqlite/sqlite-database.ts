import { setTimeout as sleep } from 'node:timers/promises';
import {
  knownVersion,
  openSqlite,
  type SqliteConnection,
  type SqliteUse,
} from '../../../../platform/adapters/sqlite.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { fillSearchColumns } from '../search-columns.ts';
import type { Database, Dialect, Row, Session, Value } from '../session.ts';
import { SQLITE_JSON } from './json.ts';
import { MIGRATIONS } from './schema.ts';

/**
 * SQLite itself would wait with the whole process asleep, heartbeats and all. So it waits a moment only, and we ask again
 * until this long has passed, at moments that two processes do not share.
 */
const BUSY_MS = 10;
const PATIENCE_MS = 30_000;

const DIALECT: Dialect = {
  isOneOf: (column, value) => `${column} IN (SELECT value FROM json_each(${value}))`,
  forUpdate: '',
  json: SQLITE_JSON,
  lastNumber: 'last_insert_rowid()',
  quoted: (column) => `json_quote(${column})`,
  joined: (text) => `group_concat(${text}, ',')`,
  place: (text, part) => `instr(${text}, ${part})`,
};

/** A search reads the whole table: pages that the system has in memory are looked at where they are. */
const MAPPED_BYTES = 2 ** 29;

const JOBS: SqliteUse = {
  what: 'job queue',
  codes: { busy: 'JOBS_BUSY', tooNew: 'JOBS_TOO_NEW', failed: 'JOBS_QUEUE_FAILED' },
};

/** One SQLite file in WAL mode, shared by any number of processes of one machine. */
export class SqliteDatabase implements Database {
  readonly dialect = DIALECT;
  readonly #connection: SqliteConnection;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  static async open(file: string): Promise<SqliteDatabase> {
    const database = new SqliteDatabase(openSqlite(file, JOBS, { busyMs: BUSY_MS }));
    await database.#prepareSchema();
    return database;
  }

  private constructor(connection: SqliteConnection) {
    this.#connection = connection;
    // What is committed is there after kill -9. After a power cut the last moments may be missing, but nothing is torn.
    connection.exec(`PRAGMA synchronous = NORMAL; PRAGMA mmap_size = ${MAPPED_BYTES}`);
  }

  /** Outside of a transaction a statement waits for one that is under way here: they share the connection. */
  async rows<T extends Row>(sql: string, values: readonly Value[] = []): Promise<readonly T[]> {
    return this.#inTurn(() => this.#connection.rows(sql, values) as readonly T[]);
  }

  async atomically<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session: Session = {
      dialect: DIALECT,
      rows: async <R extends Row>(sql: string, values: readonly Value[] = []) =>
        this.#connection.rows(sql, values) as readonly R[],
    };
    return this.#inTurn(() => this.#connection.transaction(() => work(session)));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#last;
    this.#connection.close();
  }

  #inTurn<T>(work: () => Promise<T> | T): Promise<T> {
    const done = this.#last.then(() => patiently(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #prepareSchema(): Promise<void> {
    const version = () => knownVersion(this.#connection, MIGRATIONS, JOBS);
    if (version() === MIGRATIONS.length) return;
    await patiently(() => this.#connection.exec('PRAGMA journal_mode = WAL'));
    await this.atomically(async (session) => {
      const hasJobs = version() > 0;
      for (const migration of MIGRATIONS.slice(version())) this.#connection.exec(migration);
      if (hasJobs) await fillSearchColumns(session);
      this.#connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    });
  }
}

async function patiently<T>(work: () => Promise<T> | T): Promise<T> {
  for (const start = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof NightmarkError && error.code === JOBS.codes.busy;
      if (!isBusy || performance.now() - start > PATIENCE_MS) throw error;
    }
    await sleep(1 + Math.random() * 15);
  }
}
