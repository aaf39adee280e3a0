import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  lockSqlite,
  migrate,
  openSqlite,
  type SqliteConnection,
} from '../../../../platform/adapters/sqlite.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { PointStorage } from '../../../core/points/point-storage.ts';
import {
  deleteColumns,
  dropDatabase,
  findBlocks,
  findLastBlocks,
  flushedUpTo,
  MIGRATIONS,
  POINTS,
  saveChange,
  sizeOf,
  storedColumns,
} from './block-tables.ts';
import { deleteFlushed, inspectLog, type LogCursor, logBytes, readRecords } from './log-segments.ts';
import { LogWriter } from './log-writer.ts';

interface SqliteStorageOptions {
  /** Creates and writes nothing. */
  readonly readOnly?: boolean;
  /** How long a record may wait in the kernel before it is synced to disk; 0: not at all. */
  readonly syncEveryMs?: number;
}

const SYNC_EACH = 'PRAGMA synchronous = FULL';
const SYNC_LATER = 'PRAGMA synchronous = NORMAL';

/** Points of a home in a folder: `blocks.db`, and segments of the log. One process writes while others read. */
async function openSqliteStorage(
  folder: string,
  { readOnly = false, syncEveryMs = 100 }: SqliteStorageOptions = {},
): Promise<PointStorage> {
  const path = resolve(folder);
  if (readOnly && !existsSync(join(path, 'blocks.db'))) throw noPointsError(path);
  if (!readOnly) mkdirSync(path, { recursive: true, mode: 0o700 });
  const unlock = readOnly ? () => undefined : lockSqlite(join(path, 'lock'), POINTS);
  if (unlock === undefined) throw inUseError(path);
  try {
    const connection = openSqlite(join(path, 'blocks.db'), POINTS, { readOnly });
    migrate(connection, MIGRATIONS, POINTS, { readOnly });
    // In WAL mode a committed transaction survives a killed process; FULL: a power failure, too, because the log that it
    // came from is deleted next.
    if (!readOnly) connection.exec(SYNC_EACH);
    return storageOf({ connection, path, unlock, readOnly, syncEveryMs });
  } catch (error) {
    unlock();
    throw error;
  }
}

interface Parts {
  readonly connection: SqliteConnection;
  readonly path: string;
  readonly unlock: () => void;
  readonly readOnly: boolean;
  readonly syncEveryMs: number;
}

function storageOf({ connection, path, unlock, readOnly, syncEveryMs }: Parts): PointStorage {
  const opened = readOnly ? { last: 0, damage: [] as const } : inspectLog(path);
  const next = Math.max(opened.last, flushedUpTo(connection)) + 1;
  const log = readOnly ? undefined : new LogWriter({ folder: path, next, syncEveryMs });
  const cursor: LogCursor = { file: '', number: 0, end: 0 };
  const writer = () => {
    if (!log) throw readOnlyError(path);
    return log;
  };
  return {
    id: 'sqlite',
    damage: () => opened.damage,
    appendLog: async (record) => writer().append(record),
    async *readLog(after = 0) {
      // The flushed number first: a record that is flushed after this read is read once more, not lost.
      yield* readRecords(path, { after: Math.max(after, flushedUpTo(connection)), cursor });
    },
    flushedUpTo: async () => flushedUpTo(connection),
    async commit(change) {
      const { last } = writer();
      // The last part syncs those before it, too: they are in the same file.
      if (change.isPart) connection.exec(SYNC_LATER);
      try {
        connection.atomically(() => saveChange(connection, change));
      } finally {
        if (change.isPart) connection.exec(SYNC_EACH);
      }
      // The next record begins a new segment, so that this one can be deleted after the next flush.
      if (change.upTo > 0) writer().roll();
      deleteFlushed(path, { upTo: change.upTo, last });
    },
    databases: async () =>
      Array.from(connection.each<[string]>('SELECT name FROM databases ORDER BY name'), ([name]) => name),
    async createDatabase(name) {
      if (name.includes('\0')) throw badNameError();
      connection.run('INSERT OR IGNORE INTO databases VALUES (?)', [name]);
    },
    dropDatabase: async (name) => connection.atomically(() => dropDatabase(connection, name)),
    columns: async (from = 0) => storedColumns(connection, from),
    async *blocks(query) {
      yield* findBlocks(connection, query);
    },
    async *lastBlocks(columns) {
      yield* findLastBlocks(connection, columns);
    },
    deleteColumns: async (columns) => connection.atomically(() => deleteColumns(connection, columns)),
    size: async (database) => ({ ...sizeOf(connection, database), logBytes: logBytes(path) }),
    async close() {
      try {
        await log?.close();
      } finally {
        connection.close();
        unlock();
      }
    },
  };
}

function noPointsError(folder: string): NightmarkError {
  return new NightmarkError('POINTS_NO_SHELF', `There are no points in ${folder}.`, {
    hint: 'They come with the first write: nightmark serve',
  });
}

function inUseError(folder: string): NightmarkError {
  return new NightmarkError('POINTS_SHELF_IN_USE', `Another process writes the points of ${folder}.`, {
    hint: 'Stop it (a "nightmark serve" of this home?), or write through it. Reading is possible meanwhile.',
  });
}

/** The driver would truncate it there, and confuse it with another. */
function badNameError(): NightmarkError {
  return new NightmarkError('POINTS_BAD_NAME', 'The name of a database has a NUL character.');
}

function readOnlyError(folder: string): NightmarkError {
  return new NightmarkError('POINTS_READ_ONLY', `The points of ${folder} were opened read-only.`, {
    hint: 'Write through the process that opened them for writing: nightmark serve',
  });
}

export default openSqliteStorage;
