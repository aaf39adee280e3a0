import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { migrate, openSqlite, type SqliteConnection } from '../../../../platform/adapters/sqlite.ts';
import type { Store } from '../../../core/store.ts';
import { changeTables } from './changes.ts';
import { levelTable } from './levels.ts';
import { outcomeView } from './outcomes.ts';
import { payloadTables } from './payloads.ts';
import { pointTable } from './points.ts';
import { runTables } from './runs.ts';
import { sampleTable } from './samples.ts';
import { INDEX, MIGRATIONS } from './schema.ts';
import { seriesTables } from './series.ts';
import { trialTables } from './trials.ts';

interface SqliteStoreOptions {
  /** Only reads, and creates nothing. */
  readonly readOnly?: boolean;
}

/** The store of a home: one SQLite file that one process may write while others read. */
async function openSqliteStore(file: string, { readOnly = false }: SqliteStoreOptions = {}): Promise<Store> {
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
    id: 'sqlite',
    ...runTables(connection),
    ...trialTables(connection),
    ...outcomeView(connection),
    ...seriesTables(connection),
    ...sampleTable(connection),
    ...pointTable(connection),
    ...payloadTables(connection),
    ...changeTables(connection),
    ...levelTable(connection),
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
      'levels',
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

export default openSqliteStore;
