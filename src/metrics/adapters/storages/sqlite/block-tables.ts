import type { SqliteConnection, SqliteUse } from '../../../../platform/adapters/sqlite.ts';
import type {
  Block,
  BlockChange,
  BlockQuery,
  StorageSize,
  StoredBlock,
  StoredColumn,
} from '../../../core/points/point-storage.ts';
import type { FieldType, Tags, Timestamp } from '../../../core/points/points.ts';

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

type ColumnRow = readonly [number: number, database: string, key: string, type: FieldType];

export function flushedUpTo(connection: SqliteConnection): number {
  return connection.first<[number]>('SELECT up_to FROM settled')?.[0] ?? 0;
}

export function saveChange(
  connection: SqliteConnection,
  { columns, blocks, replaced, upTo }: BlockChange,
): void {
  for (const { number, database, type, measurement, tags, field } of columns) {
    connection.run('INSERT OR REPLACE INTO columns (number, database, key, type) VALUES (?, ?, ?, ?)', [
      number,
      database,
      JSON.stringify([measurement, tags, field]),
      type,
    ]);
  }
  for (const id of replaced) connection.run('DELETE FROM blocks WHERE id = ?', [id]);
  for (const block of blocks) insertBlock(connection, block);
  connection.run('UPDATE settled SET up_to = max(up_to, ?)', [upTo]);
}

export function storedColumns(connection: SqliteConnection, from: number): readonly StoredColumn[] {
  const rows = connection.each<ColumnRow>(
    'SELECT number, database, key, type FROM columns WHERE number >= ? ORDER BY number',
    [from],
  );
  return Array.from(rows, ([number, database, key, type]) => {
    const [measurement, tags, field] = JSON.parse(key) as [string, Tags, string];
    return { number, database, type, measurement, tags, field };
  });
}

export function deleteColumns(connection: SqliteConnection, columns: readonly number[]): void {
  for (const column of columns) {
    connection.run('DELETE FROM blocks WHERE column_number = ?', [column]);
    connection.run('DELETE FROM columns WHERE number = ?', [column]);
  }
}

export function dropDatabase(connection: SqliteConnection, name: string): void {
  connection.run(
    'DELETE FROM blocks WHERE column_number IN (SELECT number FROM columns WHERE database = ?)',
    [name],
  );
  connection.run('DELETE FROM columns WHERE database = ?', [name]);
  connection.run('DELETE FROM databases WHERE name = ?', [name]);
}

export function sizeOf(connection: SqliteConnection, database: string): Omit<StorageSize, 'logBytes'> {
  const columns =
    connection.first<[number]>('SELECT count(*) FROM columns WHERE database = ?', [database])?.[0] ?? 0;
  const [blocks = 0, points = 0, bytes = 0] =
    connection.first<[number, number, number]>(
      `SELECT count(*), coalesce(sum(points), 0), coalesce(sum(length(bytes)), 0) FROM blocks
       WHERE column_number IN (SELECT number FROM columns WHERE database = ?)`,
      [database],
    ) ?? [];
  return { columns, blocks, points, bytes };
}

type BlockRow = readonly [
  id: number,
  column: number,
  tier: number,
  firstMs: number,
  firstNs: number,
  lastMs: number,
  lastNs: number,
  count: number,
  bytes: Uint8Array,
];

const COLUMNS = 'blocks.id, column_number, tier, first_ms, first_ns, last_ms, last_ns, points, blocks.bytes';
const EARLIEST: Timestamp = { ms: Number.MIN_SAFE_INTEGER, ns: 0 };
const LATEST: Timestamp = { ms: Number.MAX_SAFE_INTEGER, ns: 0 };

function insertBlock(connection: SqliteConnection, block: Block): void {
  connection.run(
    `INSERT INTO blocks (column_number, tier, first_ms, first_ns, last_ms, last_ns, points, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      block.column,
      block.tier,
      block.first.ms,
      block.first.ns,
      block.last.ms,
      block.last.ns,
      block.count,
      block.bytes,
    ],
  );
}

/**
 * In pages, each read at once: between two of them blocks may be merged, and a page that begins after the last timestamp
 * of the one before (before the first one, when the newest come first) then finds the merged block instead of missing
 * its values. The first pages are small: a reader of some values at an end stops early.
 */
export function* findBlocks(connection: SqliteConnection, query: BlockQuery): Generator<StoredBlock> {
  const { tier, isNewestFirst = false } = query;
  for (const column of query.columns) {
    let from = query.range.from ?? EARLIEST;
    let to = query.range.to ?? LATEST;
    for (let most = FIRST_PAGE; ; most = Math.min(PAGE, most * 8)) {
      const page = readPage(connection, { key: [column, tier], from, to, most, isNewestFirst });
      yield* page;
      const end = page.at(-1);
      if (end === undefined || page.length < most) break;
      if (isNewestFirst) to = end.first;
      else from = { ms: end.last.ms, ns: end.last.ns + 1 };
    }
  }
}

const FIRST_PAGE = 2;
const PAGE = 256;

interface PageQuery {
  readonly key: readonly [column: number, tier: number];
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly most: number;
  readonly isNewestFirst: boolean;
}

/**
 * Blocks of one column and tier do not overlap, so the last one that begins at or before `from` is the only one that
 * may reach into the range from before it. As a bound, it lets the index begin there and not at the oldest block.
 */
function readPage(connection: SqliteConnection, query: PageQuery): readonly StoredBlock[] {
  const { key, from, to, most, isNewestFirst } = query;
  const before =
    from === EARLIEST
      ? undefined
      : connection.first<[number, number]>(
          `SELECT first_ms, first_ns FROM blocks
     WHERE column_number = ? AND tier = ? AND (first_ms, first_ns) <= (?, ?)
     ORDER BY first_ms DESC, first_ns DESC LIMIT 1`,
          [...key, from.ms, from.ns],
        );
  const [ms, ns] = before ?? [from.ms, from.ns];
  const order = isNewestFirst ? 'first_ms DESC, first_ns DESC, id DESC' : 'first_ms, first_ns, id';
  const rows = connection.all<BlockRow>(
    `SELECT ${COLUMNS} FROM blocks
     WHERE column_number = ? AND tier = ? AND (first_ms, first_ns) >= (?, ?) AND (first_ms, first_ns) < (?, ?)
       AND (last_ms, last_ns) >= (?, ?)
     ORDER BY ${order} LIMIT ${most}`,
    [...key, ms, ns, to.ms, to.ns, from.ms, from.ns],
  );
  return rows.map(toBlock);
}

/** Many columns with one statement, which is much faster than a statement for each. */
export function* findLastBlocks(
  connection: SqliteConnection,
  columns: readonly number[],
): Generator<StoredBlock> {
  for (let at = 0; at < columns.length; at += PAGE) {
    const rows = connection.all<BlockRow>(
      `SELECT ${COLUMNS} FROM json_each(?) AS wanted JOIN blocks ON blocks.id = (
         SELECT newest.id FROM blocks AS newest WHERE newest.column_number = wanted.value AND newest.tier = 0
         ORDER BY newest.first_ms DESC, newest.first_ns DESC, newest.id DESC LIMIT 1)`,
      [JSON.stringify(columns.slice(at, at + PAGE))],
    );
    yield* rows.map(toBlock);
  }
}

function toBlock([id, column, tier, firstMs, firstNs, lastMs, lastNs, count, bytes]: BlockRow): StoredBlock {
  return {
    id,
    column,
    tier,
    first: { ms: firstMs, ns: firstNs },
    last: { ms: lastMs, ns: lastNs },
    count,
    bytes,
  };
}
