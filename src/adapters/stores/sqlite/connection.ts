import { resolve } from 'node:path';
import Database from 'libsql';
import { explain } from './failures.ts';

/** What can be bound; everything else would bring the native driver down instead of throwing. */
export type Bindable = string | number | boolean | null | undefined | Uint8Array;
export type Cell = string | number | null | Uint8Array;

/** One open SQLite file, and the only place that knows the driver. Statements are prepared once. */
export interface Connection {
  readonly file: string;
  exec(sql: string): void;
  run(sql: string, values: readonly Bindable[]): void;
  /** Rows as tuples. The tables are STRICT, so a column is what the schema says. */
  all<Row extends readonly Cell[]>(sql: string, values?: readonly Bindable[]): Row[];
  /** All or nothing; joins a transaction that is already open. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/** How long a writer waits for another one. Readers never wait: that is what WAL is for. */
const BUSY_TIMEOUT_MS = 5_000;

export function connect(file: string, readOnly: boolean): Connection {
  const path = resolve(file);
  const database = explain(path, () => new Database(readOnly ? readOnlyUri(path) : path));
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  const prepared = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };

  const connection: Connection = {
    file: path,
    exec: (sql) => explain(path, () => void database.exec(sql)),
    run: (sql, values) => explain(path, () => void prepared(sql).run(values.map(toDriver))),
    all: <Row extends readonly Cell[]>(sql: string, values: readonly Bindable[] = []) =>
      explain(path, () => prepared(sql).raw().all(values.map(toDriver)) as Row[]),
    atomically(work) {
      if (database.inTransaction) return work();
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (database.inTransaction) connection.exec('ROLLBACK');
        throw error;
      }
    },
    close() {
      statements.clear();
      if (!readOnly) bringLogHome(database);
      database.close();
    },
  };
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return connection;
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

/** A limit as SQL takes it: whole and finite. */
export function toLimit(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER));
}

/** The driver knows no read-only option, but SQLite reads it from a URI, where "?", "#" and "%" have a meaning. */
function readOnlyUri(path: string): string {
  return `file:${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}?mode=ro`;
}

/** A boolean aborts the process inside the driver, and a text ends for it at the first NUL: both are translated. */
function toDriver(value: Bindable): Cell {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return value.replaceAll('\0', '\u2400');
  return value ?? null;
}
