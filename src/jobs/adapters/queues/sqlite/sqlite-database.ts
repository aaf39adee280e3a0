import { setTimeout as sleep } from 'node:timers/promises';
import {
  knownVersion,
  openSqlite,
  type SqliteConnection,
  type SqliteUse,
} from '../../../../platform/adapters/sqlite.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { fillSearchColumns } from '../search-columns.ts';
import type { Database, Dialect, Row, Session, Value } from '../sql-database.ts';
import { SQLITE_JSON } from './sqlite-json.ts';

/**
 * SQLite's own wait would block the whole process, heartbeats included. So it waits briefly, and we retry for this long,
 * after random pauses.
 */
const BUSY_MS = 10;
const RETRY_FOR_MS = 30_000;

const DIALECT: Dialect = {
  isOneOf: (column, value) => `${column} IN (SELECT value FROM json_each(${value}))`,
  forUpdate: '',
  json: SQLITE_JSON,
  lastNumber: 'last_insert_rowid()',
  quoted: (column) => `json_quote(${column})`,
  joined: (text) => `group_concat(${text}, ',')`,
  place: (text, part) => `instr(${text}, ${part})`,
};

/** A search reads the whole table: memory mapping avoids copies of cached pages. */
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
    // Commits survive kill -9. After a power failure the last ones may be missing, but nothing is corrupt.
    connection.exec(`PRAGMA synchronous = NORMAL; PRAGMA mmap_size = ${MAPPED_BYTES}`);
  }

  /** Outside of a transaction a statement waits for a running transaction: they share the connection. */
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
    const done = this.#last.then(() => withRetry(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #prepareSchema(): Promise<void> {
    const version = () => knownVersion(this.#connection, MIGRATIONS, JOBS);
    if (version() === MIGRATIONS.length) return;
    await withRetry(() => this.#connection.exec('PRAGMA journal_mode = WAL'));
    await this.atomically(async (session) => {
      const hasJobs = version() > 0;
      for (const migration of MIGRATIONS.slice(version())) this.#connection.exec(migration);
      if (hasJobs) await fillSearchColumns(session);
      this.#connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    });
  }
}

async function withRetry<T>(work: () => Promise<T> | T): Promise<T> {
  for (const start = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof NightmarkError && error.code === JOBS.codes.busy;
      if (!isBusy || performance.now() - start > RETRY_FOR_MS) throw error;
    }
    await sleep(1 + Math.random() * 15);
  }
}

/**
 * Step n brings the schema from version n to n + 1; steps that were released are never edited. See docs/schema.md.
 * What is searched is filled in by fillSearchColumns after the last of them.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY, created_at REAL NOT NULL, user_name TEXT NOT NULL, project TEXT NOT NULL,
    experiment TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, sweep TEXT NOT NULL, executor TEXT NOT NULL,
    package TEXT NOT NULL, workers INTEGER NOT NULL, priority REAL NOT NULL, status TEXT NOT NULL, attempt INTEGER NOT NULL,
    lost INTEGER NOT NULL, registered INTEGER NOT NULL, blockers INTEGER NOT NULL, open INTEGER NOT NULL,
    not_before REAL NOT NULL, heartbeat_at REAL, config TEXT NOT NULL
  ) STRICT;
  CREATE INDEX jobs_by_turn ON jobs (executor, open DESC, priority DESC, created_at, id, not_before, project) WHERE open > 0;
  CREATE INDEX jobs_by_age ON jobs (created_at DESC, id DESC, project, experiment, name, user_name, sweep, description);
  CREATE INDEX jobs_by_status ON jobs (status, created_at DESC, id DESC);
  CREATE INDEX jobs_by_package ON jobs (package) WHERE package <> '';

  CREATE TABLE job_documents (id TEXT NOT NULL PRIMARY KEY, spec TEXT NOT NULL, facts TEXT NOT NULL) STRICT;

  CREATE TABLE job_ranks (
    job_id TEXT NOT NULL, rank INTEGER NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, incarnation TEXT NOT NULL,
    heartbeat_at REAL NOT NULL, ref TEXT, done INTEGER NOT NULL, PRIMARY KEY (job_id, rank)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_arrivals (
    job_id TEXT NOT NULL, barrier TEXT NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (job_id, barrier, rank)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_after (
    job_id TEXT NOT NULL, after_id TEXT NOT NULL, PRIMARY KEY (job_id, after_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_after_by_after ON job_after (after_id);

  CREATE TABLE job_logs (
    job_id TEXT NOT NULL, number INTEGER NOT NULL, is_tail INTEGER NOT NULL, size INTEGER NOT NULL,
    entries INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (job_id, number)
  ) STRICT;

  CREATE TABLE job_log_sizes (
    job_id TEXT NOT NULL PRIMARY KEY, next_number INTEGER NOT NULL, head INTEGER NOT NULL, tail INTEGER NOT NULL,
    left_out INTEGER NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE jobs ADD COLUMN search_spec TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE jobs ADD COLUMN search_facts TEXT NOT NULL DEFAULT '{}';
  `,
  // In SQLite's own form of JSON, of which single values are read without the rest; x'0c' is an empty object.
  `
  ALTER TABLE jobs DROP COLUMN search_spec;
  ALTER TABLE jobs DROP COLUMN search_facts;
  ALTER TABLE jobs ADD COLUMN searched_spec BLOB NOT NULL DEFAULT x'0c';
  ALTER TABLE jobs ADD COLUMN searched_config BLOB NOT NULL DEFAULT x'0c';
  ALTER TABLE jobs ADD COLUMN searched_facts BLOB NOT NULL DEFAULT x'0c';
  `,
  // What is searched in tables of its own, with the same numbers: a search reads one or two of them from end to end, and little else.
  `
  CREATE TABLE numbered_jobs (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created_at REAL NOT NULL, user_name TEXT NOT NULL, project TEXT NOT NULL,
    experiment TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, sweep TEXT NOT NULL, executor TEXT NOT NULL,
    package TEXT NOT NULL, workers INTEGER NOT NULL, priority REAL NOT NULL, status TEXT NOT NULL, attempt INTEGER NOT NULL,
    lost INTEGER NOT NULL, registered INTEGER NOT NULL, blockers INTEGER NOT NULL, open INTEGER NOT NULL,
    not_before REAL NOT NULL, heartbeat_at REAL, odd_keys TEXT NOT NULL DEFAULT ''
  ) STRICT;
  INSERT INTO numbered_jobs (id, created_at, user_name, project, experiment, name, description, sweep, executor, package,
      workers, priority, status, attempt, lost, registered, blockers, open, not_before, heartbeat_at)
    SELECT id, created_at, user_name, project, experiment, name, description, sweep, executor, package,
      workers, priority, status, attempt, lost, registered, blockers, open, not_before, heartbeat_at
    FROM jobs ORDER BY created_at, id;
  ALTER TABLE job_documents ADD COLUMN config TEXT NOT NULL DEFAULT '{}';
  UPDATE job_documents SET config = (SELECT config FROM jobs j WHERE j.id = job_documents.id);
  DROP TABLE jobs;
  ALTER TABLE numbered_jobs RENAME TO jobs;
  CREATE INDEX jobs_by_turn ON jobs (executor, open DESC, priority DESC, created_at, id, not_before, project) WHERE open > 0;
  CREATE INDEX jobs_by_age ON jobs (created_at DESC, id DESC, project, experiment, name, user_name, sweep, description, odd_keys);
  CREATE INDEX jobs_by_status ON jobs (status, created_at DESC, id DESC);
  CREATE INDEX jobs_by_package ON jobs (package) WHERE package <> '';
  CREATE TABLE job_searched_spec (n INTEGER PRIMARY KEY, searched_spec BLOB NOT NULL) STRICT;
  CREATE TABLE job_searched_config (n INTEGER PRIMARY KEY, searched_config BLOB NOT NULL) STRICT;
  CREATE TABLE job_searched_facts (n INTEGER PRIMARY KEY, searched_facts BLOB NOT NULL) STRICT;
  CREATE TRIGGER jobs_gone AFTER DELETE ON jobs BEGIN
    DELETE FROM job_searched_spec WHERE n = OLD.n;
    DELETE FROM job_searched_config WHERE n = OLD.n;
    DELETE FROM job_searched_facts WHERE n = OLD.n;
  END;
  `,
];
