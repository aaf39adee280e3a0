import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'libsql';
import { fillSearchColumns } from '../search-columns.ts';
import { bound, type Database, type Dialect, type Row, type Session, type Value } from '../session.ts';
import { isBusy, sqliteFailure, tooNew } from './failures.ts';
import { SQLITE_JSON } from './json.ts';
import { MIGRATIONS } from './schema.ts';

/**
 * SQLite itself would wait with the whole process asleep, heartbeats and all. So it waits a moment only, and we ask again
 * until this long has passed, at moments that two processes do not share.
 */
const BUSY_MS = 10;
const PATIENCE_MS = 30_000;
const MOST_STATEMENTS = 300;

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

/** One SQLite file in WAL mode, shared by any number of processes of one machine. */
export class SqliteDatabase implements Database {
  readonly dialect = DIALECT;
  readonly #file: string;
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  static async open(file: string): Promise<SqliteDatabase> {
    try {
      const database = new SqliteDatabase(file, new Sqlite(file));
      await database.#prepareSchema();
      return database;
    } catch (error) {
      throw sqliteFailure(file, error);
    }
  }

  private constructor(file: string, sqlite: Sqlite.Database) {
    this.#file = file;
    this.#sqlite = sqlite;
    sqlite.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    // What is committed is there after kill -9. After a power cut the last moments may be missing, but nothing is torn.
    sqlite.exec('PRAGMA synchronous = NORMAL');
    sqlite.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
  }

  /** Outside of a transaction a statement waits for one that is under way here: they share the connection. */
  async rows<T extends Row>(sql: string, values: readonly Value[] = []): Promise<readonly T[]> {
    return this.#inTurn(() => this.#ask<T>(sql, values));
  }

  async atomically<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#sqlite.exec('BEGIN IMMEDIATE');
      try {
        const result = await work({
          dialect: DIALECT,
          rows: async (sql, values = []) => this.#ask(sql, values),
        });
        this.#sqlite.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK');
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#last;
    this.#statements.clear();
    bringLogHome(this.#sqlite);
    this.#sqlite.close();
  }

  #inTurn<T>(work: () => Promise<T> | T): Promise<T> {
    const done = this.#last.then(() => this.#patiently(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #patiently<T>(work: () => Promise<T> | T): Promise<T> {
    for (const start = performance.now(); ; ) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || performance.now() - start > PATIENCE_MS) throw sqliteFailure(this.#file, error);
      }
      await sleep(1 + Math.random() * 15);
    }
  }

  #ask<T extends Row>(sql: string, values: readonly Value[]): readonly T[] {
    const known = this.#statements.get(sql);
    const statement = known ?? this.#sqlite.prepare(sql.replace(/\$(\d+)/g, '?$1'));
    if (known === undefined) {
      // Searches are of any number.
      if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    if (statement.reader) return statement.all(values.map(bound)) as T[];
    statement.run(values.map(bound));
    return [];
  }

  async #prepareSchema(): Promise<void> {
    const version = () =>
      (this.#sqlite.prepare('PRAGMA user_version').get([]) as { user_version: number }).user_version;
    if (version() > MIGRATIONS.length) throw tooNew(this.#file, version(), MIGRATIONS.length);
    if (version() === MIGRATIONS.length) return;
    await this.#patiently(() => void this.#sqlite.exec('PRAGMA journal_mode = WAL'));
    await this.atomically(async (session) => {
      const hasJobs = version() > 0;
      for (const migration of MIGRATIONS.slice(version())) this.#sqlite.exec(migration);
      if (hasJobs) await fillSearchColumns(session);
      this.#sqlite.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    });
  }
}

/** The driver does not finalise statements, so SQLite would leave its write-ahead log beside the file. */
function bringLogHome(sqlite: Sqlite.Database): void {
  try {
    sqlite.exec('PRAGMA busy_timeout = 0');
    sqlite.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  } catch {
    return;
  }
}
