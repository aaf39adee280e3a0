import { NightmarkError } from '../../../core/errors.ts';
import type { Connection } from './connection.ts';

/** Step n brings the schema from version n to n + 1; steps that were released are never edited. See docs/schema.md. */
const MIGRATIONS: readonly string[] = [
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

export function ensureSchema(connection: Connection, isReadOnly: boolean): void {
  const version = versionOf(connection);
  if (version === MIGRATIONS.length) return;
  if (version > MIGRATIONS.length) {
    throw new NightmarkError(
      'POINTS_TOO_NEW',
      `The points in ${connection.file} were written by a newer Nightmark (form ${version}, this one knows ${MIGRATIONS.length}).`,
      { hint: 'Install that version: npm install nightmark@latest. Nothing was changed.' },
    );
  }
  if (isReadOnly) {
    throw new NightmarkError(
      'POINTS_OUTDATED',
      `The points in ${connection.file} have an older form (${version}).`,
      {
        hint: 'Start the process that writes them once: nightmark serve',
      },
    );
  }
  connection.exec('PRAGMA journal_mode = WAL');
  connection.atomically(() => {
    for (const migration of MIGRATIONS.slice(version)) connection.exec(migration);
    connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function versionOf(connection: Connection): number {
  return connection.first<[number]>('PRAGMA user_version')?.[0] ?? 0;
}
