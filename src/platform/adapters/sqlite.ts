import { resolve } from 'node:path';
import Database from 'libsql';
import { NightmarkError } from '../core/errors.ts';

/** What can be bound; everything else would bring the native driver down instead of throwing. */
export type Bindable = string | number | boolean | null | undefined | Uint8Array;
type Cell = string | number | null | Uint8Array;

/**
 * One open SQLite file, and the only place that uses the driver. Statements are prepared once; values are `?`, or `$1`, `$2`
 * as PostgreSQL has them. The tables are STRICT, so a column is what the schema says.
 */
export interface SqliteConnection {
  readonly file: string;
  exec(sql: string): void;
  run(sql: string, values: readonly Bindable[]): void;
  /** Rows as tuples: for what is known to be few. */
  all<Row extends readonly Cell[]>(sql: string, values?: readonly Bindable[]): Row[];
  /** The only row of a lookup. For whatever happens often: the driver frees what `all` took only much later. */
  first<Row extends readonly Cell[]>(sql: string, values?: readonly Bindable[]): Row | undefined;
  /** Rows as tuples, one at a time: memory does not grow with what is found. */
  each<Row extends readonly Cell[]>(sql: string, values?: readonly Bindable[]): Iterable<Row>;
  /** Rows as objects; none for a statement that gives none. */
  rows(sql: string, values: readonly Bindable[]): readonly Readonly<Record<string, Cell>>[];
  /** All or nothing; joins a transaction that is already open. */
  atomically<T>(work: () => T): T;
  /** All or nothing, for work that waits: what runs meanwhile on this connection belongs to it. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface SqliteOptions {
  /** Only reads, and creates nothing. */
  readonly readOnly?: boolean;
  /** How long SQLite waits for another writer, with the whole process asleep. Readers never wait: that is what WAL is for. */
  readonly busyMs?: number;
}

const BUSY_MS = 5_000;
/** Statements are kept; searches are of any number. */
const MOST_STATEMENTS = 300;

export function openSqlite(
  file: string,
  use: SqliteUse,
  { readOnly = false, busyMs = BUSY_MS }: SqliteOptions = {},
): SqliteConnection {
  const path = resolve(file);
  const explain = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toNightmarkError(error, path, use);
    }
  };
  const database = explain(() => new Database(readOnly ? readOnlyUri(path) : path));
  // For each way of reading: on one statement the driver lets `get` after `all` find what was requested before.
  const statements = { tuples: newStatements(), first: newStatements(), objects: newStatements() };
  const prepare = (sql: string) => database.prepare(sql.replace(/\$(\d+)/g, '?$1'));
  const prepared = (sql: string, way: keyof typeof statements) => {
    const known = statements[way].get(sql);
    if (known) return known;
    if (statements[way].size >= MOST_STATEMENTS) statements[way].clear();
    const statement = prepare(sql);
    if (statement.reader) statement.raw(way !== 'objects');
    statements[way].set(sql, statement);
    return statement;
  };

  /** SQLite may have done so by itself (disk full). */
  const rollBack = () => {
    if (database.inTransaction) connection.exec('ROLLBACK');
  };
  const connection: SqliteConnection = {
    file: path,
    exec: (sql) => explain(() => void database.exec(sql)),
    run: (sql, values) => explain(() => void prepared(sql, 'objects').run(values.map(toDriver))),
    all: <Row extends readonly Cell[]>(sql: string, values: readonly Bindable[] = []) =>
      explain(() => prepared(sql, 'tuples').all(values.map(toDriver)) as Row[]),
    first: <Row extends readonly Cell[]>(sql: string, values: readonly Bindable[] = []) =>
      explain(() => prepared(sql, 'first').get(values.map(toDriver)) as Row | undefined),
    // A statement of its own: one that is being iterated cannot be used by a second reader at the same time.
    each: <Row extends readonly Cell[]>(sql: string, values: readonly Bindable[] = []) =>
      explain(() => prepare(sql).raw().iterate(values.map(toDriver)) as Iterable<Row>),
    rows: (sql, values) =>
      explain(() => {
        const statement = prepared(sql, 'objects');
        if (statement.reader) return statement.all(values.map(toDriver)) as Readonly<Record<string, Cell>>[];
        statement.run(values.map(toDriver));
        return [];
      }),
    atomically(work) {
      if (database.inTransaction) return work();
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
    async transaction(work) {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = await work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
    close() {
      for (const known of Object.values(statements)) known.clear();
      if (!readOnly) bringLogHome(database);
      database.close();
    },
  };
  connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
  return connection;
}

function newStatements(): Map<string, Database.Statement> {
  return new Map();
}

/**
 * Brings a file to the schema of this version: step n leads from version n to n + 1. An up-to-date file costs one read of its
 * first page.
 */
export function migrate(
  connection: SqliteConnection,
  steps: readonly string[],
  use: SqliteUse,
  { readOnly = false }: SqliteOptions = {},
): void {
  const version = knownVersion(connection, steps, use);
  if (version === steps.length) return;
  if (readOnly) {
    const problem = version === 0 && use.codes.empty !== undefined ? 'empty' : 'outdated';
    throw failure(problem, `form ${version}`, connection.file, use);
  }
  // WAL is a property of the file; it cannot be changed inside of a transaction.
  connection.exec('PRAGMA journal_mode = WAL');
  connection.atomically(() => {
    // Read again: another process may have done it while we waited for the lock.
    for (const step of steps.slice(knownVersion(connection, steps, use))) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** The version of the schema in a file; throws when it is newer than the steps. */
export function knownVersion(connection: SqliteConnection, steps: readonly string[], use: SqliteUse): number {
  const version = connection.first<[number]>('PRAGMA user_version')?.[0] ?? 0;
  if (version <= steps.length) return version;
  throw failure('tooNew', `form ${version}, this one knows ${steps.length}`, connection.file, use);
}

/**
 * A lock is an SQLite file inside of an exclusive transaction: the kernel gives it up with the process, however that ends.
 * Returns what releases it; undefined when another process has it.
 */
export function lockSqlite(file: string, use: SqliteUse): (() => void) | undefined {
  let database: Database.Database | undefined;
  try {
    database = new Database(file);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (problemOf(error) === 'busy') return undefined;
    throw toNightmarkError(error, file, use);
  }
  const taken = database;
  held.add(taken);
  return () => {
    if (!held.delete(taken)) return;
    // The driver may keep a closed file open for a while: the rollback is what frees the lock.
    taken.exec('ROLLBACK');
    taken.close();
  };
}

/** Kept from the garbage collector, which would close the file and with it give up the lock. */
const held = new Set<Database.Database>();

/** A limit as SQL takes it: whole and finite. */
export function toLimit(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER));
}

/** What a file is to people, and what its failures are called. */
export interface SqliteUse {
  /** As in "The index FILE is damaged". */
  readonly what: string;
  /** `failed` stands for each that has no code of its own. */
  readonly codes: Readonly<Partial<Record<SqliteProblem, string>>> & { readonly failed: string };
  readonly hints?: Readonly<Partial<Record<SqliteProblem, string>>>;
}

export type SqliteProblem = keyof typeof PROBLEMS;

/** The message for each problem, and what can be done. */
const PROBLEMS = {
  cannotOpen: ['cannot be opened', 'Check that it exists, is a file, and that you may read and write it.'],
  damaged: ['is damaged', 'Bring it back from a backup.'],
  busy: ['is being written by another process', 'Try again when it is done.'],
  full: ['has no space left on its disk', 'Free some space.'],
  denied: ['cannot be read or written', 'Check the owner and mode of the file and of its folder.'],
  orphan: ['lacks what this belongs to', 'Save that first.'],
  empty: ['has no tables yet', 'It is being created: try again.'],
  outdated: ['has an older form', 'Start once what writes it.'],
  tooNew: [
    'was written by a newer Nightmark',
    'Install that version: npm install nightmark@latest. Nothing was changed.',
  ],
  failed: ['failed', 'Check that it exists, is a file, and that you may read and write it.'],
} as const;

function failure(
  problem: SqliteProblem,
  detail: string,
  file: string,
  { what, codes, hints }: SqliteUse,
  cause?: unknown,
): NightmarkError {
  const [text, usual] = PROBLEMS[problem];
  const message = `The ${what} ${file} ${text}${detail === '' ? '' : ` (${detail})`}.`;
  return new NightmarkError(codes[problem] ?? codes.failed, message, {
    hint: hints?.[problem] ?? usual,
    cause,
  });
}

function toNightmarkError(error: unknown, file: string, use: SqliteUse): unknown {
  const problem = problemOf(error);
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return problem ? failure(problem, message || code, file, use, error) : error;
}

/** Undefined for what is not a failure of SQLite. */
function problemOf(error: unknown): SqliteProblem | undefined {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  if (message.startsWith('ConnectionFailed')) return 'cannotOpen';
  if (!code.startsWith('SQLITE_')) return undefined;
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return 'damaged';
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'busy';
  if (code.startsWith('SQLITE_FULL')) return 'full';
  if (/^SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)/.test(code)) return 'denied';
  return code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || message.includes('FOREIGN KEY') ? 'orphan' : 'failed';
}

/**
 * The driver does not finalise statements, so SQLite does not see the last connection go and would leave the write-ahead
 * log beside the file. With readers about, or a damaged file, it stays: the next writer takes care of it.
 */
function bringLogHome(database: Database.Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  } catch {
    return;
  }
}

/** The driver has no read-only option, but SQLite reads it from a URI, where "?", "#" and "%" have a meaning. */
function readOnlyUri(path: string): string {
  return `file:${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}?mode=ro`;
}

/** A boolean aborts the process inside the driver, and a text ends for it at the first NUL: both are translated. */
function toDriver(value: Bindable): Cell {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return value.replaceAll('\0', '\u2400');
  return value ?? null;
}
