import type { SqliteUse } from '../../../../platform/adapters/sqlite.ts';

/** Step n brings the schema from version n to n + 1; steps that were released are never edited. See docs/schema.md. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE databases (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  CREATE TABLE columns (
    number INTEGER PRIMARY KEY, database TEXT NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL
  ) STRICT;
  CREATE INDEX columns_by_database ON columns (database);

  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, column_number INTEGER NOT NULL, tier INTEGER NOT NULL,
    first_ms INTEGER NOT NULL, first_ns INTEGER NOT NULL, last_ms INTEGER NOT NULL, last_ns INTEGER NOT NULL,
    points INTEGER NOT NULL, bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX blocks_by_time ON blocks (column_number, tier, first_ms, first_ns);

  CREATE TABLE settled (up_to INTEGER NOT NULL) STRICT;
  INSERT INTO settled VALUES (0);
  `,
];

export const POINTS: SqliteUse = {
  what: 'database of points',
  codes: { outdated: 'POINTS_OUTDATED', tooNew: 'POINTS_TOO_NEW', failed: 'POINTS_SHELF_FAILED' },
  hints: {
    full: 'Free some space. What was acknowledged is in the log.',
    outdated: 'Start the process that writes it once: nightmark serve',
  },
};
