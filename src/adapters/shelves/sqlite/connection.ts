import Database from 'libsql';
import { NightmarkError } from '../../../core/errors.ts';

type Bindable = string | number | Uint8Array;
type Cell = string | number | null | Uint8Array;

/** One open SQLite file, and the only place of the shelf that knows the driver. Statements are prepared once. */
export interface Connection {
  readonly file: string;
  exec(sql: string): void;
  run(sql: string, values: readonly Bindable[]): void;
  first<Row extends readonly Cell[]>(sql: string, values?: readonly Bindable[]): Row | undefined;
  /** All rows as tuples: for what is known to be few. */
  all<Row extends readonly Cell[]>(sql: string, values: readonly Bindable[]): readonly Row[];
  /** Rows as tuples, one at a time: memory does not grow with what is found. */
  each<Row extends readonly Cell[]>(sql: string, values?: readonly Bindable[]): Iterable<Row>;
  /** All or nothing. */
  atomically(work: () => void): void;
  close(): void;
}

export function connect(file: string, isReadOnly: boolean): Connection {
  const database = explain(file, () => new Database(isReadOnly ? readOnlyUri(file) : file));
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const connection: Connection = {
    file,
    exec: (sql) => explain(file, () => void database.exec(sql)),
    run: (sql, values) => explain(file, () => void prepared(sql).run([...values])),
    first: <Row extends readonly Cell[]>(sql: string, values: readonly Bindable[] = []) =>
      explain(
        file,
        () =>
          prepared(sql)
            .raw()
            .get([...values]) as Row | undefined,
      ),
    all: <Row extends readonly Cell[]>(sql: string, values: readonly Bindable[]) =>
      explain(
        file,
        () =>
          prepared(sql)
            .raw()
            .all([...values]) as Row[],
      ),
    // A statement of its own: one that is being iterated cannot be used by a second reader at the same time.
    each: <Row extends readonly Cell[]>(sql: string, values: readonly Bindable[] = []) =>
      explain(
        file,
        () =>
          database
            .prepare(sql)
            .raw()
            .iterate([...values]) as Iterable<Row>,
      ),
    atomically(work) {
      connection.exec('BEGIN IMMEDIATE');
      try {
        work();
        connection.exec('COMMIT');
      } catch (error) {
        if (database.inTransaction) connection.exec('ROLLBACK');
        throw error;
      }
    },
    close() {
      statements.clear();
      if (!isReadOnly) bringLogHome(database);
      database.close();
    },
  };
  connection.exec('PRAGMA busy_timeout = 5000');
  return connection;
}

/** The driver does not finalise statements, so SQLite would leave its write-ahead log beside the file. */
function bringLogHome(database: Database.Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  } catch {
    return;
  }
}

/** The driver knows no read-only option, but SQLite reads it from a URI, where "?", "#" and "%" have a meaning. */
function readOnlyUri(path: string): string {
  return `file:${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}?mode=ro`;
}

function explain<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code = '', message = '' } = cause as { code?: string; message?: string };
    if (!code.startsWith('SQLITE_') && !message.startsWith('ConnectionFailed')) throw cause;
    throw new NightmarkError(
      'POINTS_SHELF_FAILED',
      `The points in ${file} cannot be read or written (${message || code}).`,
      {
        hint: hintFor(code),
        cause,
      },
    );
  }
}

function hintFor(code: string): string {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return 'The file is damaged: bring it back from a backup.';
  if (code.startsWith('SQLITE_FULL'))
    return 'The disk is full: free some space. What was acknowledged is in the log.';
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'Another process is busy with it: try again.';
  return 'Look whether it is there, is a file, and may be read and written by you.';
}
