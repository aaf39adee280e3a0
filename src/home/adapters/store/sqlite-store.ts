import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  migrate,
  openSqlite,
  type SqliteConnection,
  type SqliteUse,
} from '../../../platform/adapters/sqlite.ts';
import type { Store } from '../../core/store.ts';
import { changeTables } from './change-tables.ts';
import { directionTable } from './direction-table.ts';
import { judgementTable } from './judgement-table.ts';
import { payloadTables } from './payload-tables.ts';
import { runTables } from './run-table.ts';
import { pointTable, sampleTable } from './sample-tables.ts';
import { seriesTables } from './series-tables.ts';
import { outcomeView, trialTables } from './trial-tables.ts';

interface SqliteStoreOptions {
  /** Only reads, and creates nothing. */
  readonly readOnly?: boolean;
}

/** The store of a home: one SQLite file that one process may write while others read. */
export async function openSqliteStore(
  file: string,
  { readOnly = false }: SqliteStoreOptions = {},
): Promise<Store> {
  if (!readOnly) mkdirSync(dirname(resolve(file)), { recursive: true });
  const connection = openSqlite(file, INDEX, { readOnly });
  try {
    migrate(connection, MIGRATIONS, INDEX, { readOnly });
    // In WAL mode NORMAL loses nothing when a process dies; after a power cut `reindex` has the files.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    ...runTables(connection),
    ...trialTables(connection),
    ...outcomeView(connection),
    ...seriesTables(connection),
    ...sampleTable(connection),
    ...pointTable(connection),
    ...payloadTables(connection),
    ...changeTables(connection),
    ...judgementTable(connection),
    ...directionTable(connection),
    clearIndex: async () => clearIndex(connection),
    together: oneAtATime(connection),
    close: () => connection.close(),
  };
}

/** Children first: a table that nothing refers to any more is emptied at once instead of row by row. */
function clearIndex(connection: SqliteConnection): void {
  connection.atomically(() => {
    for (const table of [
      'absences',
      'judgements',
      'commits',
      'changes',
      'kpi_values',
      'payloads',
      'point_columns',
      'samples',
      'series_values',
      'series',
      'stages',
      'trials',
      'runs',
      'machines',
    ]) {
      connection.run(`DELETE FROM ${table}`, []);
    }
  });
}

/**
 * Many saves as one transaction. A `together` inside of another joins it; one that begins beside another
 * waits for it, so that the failure of one cannot take the saves of the other along.
 */
function oneAtATime(connection: SqliteConnection): Store['together'] {
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();

  return async function together<T>(work: () => Promise<T>): Promise<T> {
    if (inside.getStore()) return work();
    const mine = last.then(() => inside.run(true, () => connection.transaction(work)));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * Step n brings the schema from version n to n + 1; steps that were released are never edited.
 * Documented for readers in docs/schema.md. Times and durations are milliseconds; REAL, because a
 * measured duration has fractions (SQLite keeps whole ones as integers on disk).
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE machines (id TEXT PRIMARY KEY, name TEXT NOT NULL, facts TEXT NOT NULL) STRICT;

  CREATE TABLE runs (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, project TEXT NOT NULL, label TEXT NOT NULL, state TEXT NOT NULL,
    started_at REAL NOT NULL, ended_at REAL, seed REAL, machine_id TEXT, origin TEXT NOT NULL,
    task_order TEXT NOT NULL, warnings TEXT NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (started_at, id);
  CREATE INDEX runs_by_kind ON runs (kind, started_at, id);
  CREATE INDEX runs_by_state ON runs (state, started_at, id);

  CREATE TABLE trials (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, kind TEXT NOT NULL, task TEXT NOT NULL,
    title TEXT, state TEXT NOT NULL, failed_stage TEXT, message TEXT NOT NULL,
    started_at REAL, duration_ms REAL, commits TEXT NOT NULL,
    PRIMARY KEY (run_id, kind, task)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stages (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, kind TEXT NOT NULL, task TEXT NOT NULL,
    stage TEXT NOT NULL, success INTEGER NOT NULL, message TEXT NOT NULL, extra TEXT NOT NULL,
    started_at REAL NOT NULL, duration_ms REAL NOT NULL, attempts INTEGER NOT NULL, exit TEXT, log TEXT,
    PRIMARY KEY (run_id, kind, task, stage)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE series (
    id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, path TEXT NOT NULL,
    unit TEXT NOT NULL, better TEXT NOT NULL,
    UNIQUE (experiment, path)
  ) STRICT;

  CREATE TABLE series_values (
    series_id INTEGER NOT NULL REFERENCES series ON DELETE CASCADE, at REAL NOT NULL, run_id TEXT NOT NULL,
    value REAL,
    PRIMARY KEY (series_id, at, run_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE samples (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, task TEXT NOT NULL, position INTEGER NOT NULL,
    benchmark TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL, better TEXT NOT NULL,
    settings TEXT NOT NULL, sample_values BLOB NOT NULL,
    PRIMARY KEY (run_id, task, position)
  ) STRICT;

  CREATE TABLE point_columns (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT NOT NULL, tags TEXT NOT NULL,
    first_at REAL NOT NULL, last_at REAL NOT NULL, unit TEXT NOT NULL, times BLOB NOT NULL, point_values BLOB NOT NULL,
    PRIMARY KEY (run_id, name, tags, first_at)
  ) STRICT;
  `,
  `
  CREATE TABLE payloads (test_id TEXT PRIMARY KEY, at REAL NOT NULL, document TEXT NOT NULL) STRICT;
  CREATE INDEX payloads_by_time ON payloads (at, test_id);

  CREATE TABLE kpi_values (
    name TEXT NOT NULL, labels TEXT NOT NULL, at REAL NOT NULL,
    test_id TEXT NOT NULL REFERENCES payloads ON DELETE CASCADE,
    help TEXT NOT NULL, unit TEXT NOT NULL, value TEXT,
    PRIMARY KEY (name, labels, at, test_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kpi_values_by_test ON kpi_values (test_id);
  `,
  `
  ALTER TABLE kpi_values ADD COLUMN better TEXT NOT NULL DEFAULT 'unknown';
  ALTER TABLE kpi_values ADD COLUMN ignored INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE changes (
    id TEXT PRIMARY KEY, series TEXT NOT NULL, experiment TEXT, at REAL NOT NULL, state TEXT NOT NULL,
    direction TEXT NOT NULL, withdrawn INTEGER NOT NULL, document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX changes_by_time ON changes (at, id);
  CREATE INDEX changes_by_series ON changes (series, at);
  CREATE INDEX changes_by_experiment ON changes (experiment, at);

  CREATE TABLE absences (series TEXT PRIMARY KEY, at REAL NOT NULL, document TEXT NOT NULL) STRICT;
  `,
  `
  CREATE TABLE levels (
    series TEXT NOT NULL, fingerprint TEXT NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (series, fingerprint)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  DROP TABLE levels;
  CREATE TABLE judgements (
    series TEXT PRIMARY KEY, document TEXT NOT NULL, outdated INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE commits (
    source TEXT NOT NULL, hash TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (source, hash)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE series ADD COLUMN metric TEXT NOT NULL DEFAULT '';
  ALTER TABLE samples ADD COLUMN original TEXT;
  CREATE TABLE directions (
    position INTEGER PRIMARY KEY, experiment TEXT, pattern TEXT NOT NULL, better TEXT NOT NULL
  ) STRICT;
  `,
];

const INDEX: SqliteUse = {
  what: 'index',
  codes: {
    cannotOpen: 'STORE_CANNOT_OPEN',
    damaged: 'STORE_DAMAGED',
    busy: 'STORE_BUSY',
    full: 'DISK_FULL',
    denied: 'STORE_DENIED',
    orphan: 'STORE_UNKNOWN_RUN',
    empty: 'STORE_EMPTY',
    outdated: 'STORE_OUTDATED',
    tooNew: 'STORE_TOO_NEW',
    failed: 'STORE_FAILED',
  },
  hints: {
    damaged: 'Build it anew from the files of the home: nightmark reindex',
    full: 'Free some space; the results themselves are files, and "nightmark reindex" adds what is missing.',
    orphan: 'Save the run first.',
    empty: 'Another process is creating it: try again in a second, or run nightmark reindex.',
    outdated: 'Bring it up to date: nightmark reindex',
  },
};
