import type { SqliteConnection } from '../../../../platform/adapters/sqlite.ts';
import type { Block, BlockQuery, StoredBlock } from '../../../core/points/point-storage.ts';
import type { Timestamp } from '../../../core/points/points.ts';

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

export function insertBlock(connection: SqliteConnection, block: Block): void {
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
 * By pages, each read at one go: between two of them blocks may be merged, and a page that begins after the last moment
 * of the one before (before the first one, when the newest come first) then meets the merged block instead of missing
 * what was in it. The first pages are small: who wants some values at an end stops early.
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
 * may reach into the range from before it. Told as a bound, it lets the index begin there and not at the oldest block.
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

/** Many columns with one statement: asking for each alone would take most of the time to ask. */
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
