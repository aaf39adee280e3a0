import type { FieldKey, FieldType, TimeRange, Timestamp } from './points.ts';

/**
 * Where time series are stored: a write-ahead log, and blocks of compressed columns. The engine on top (src/metrics/app)
 * keeps the newest points in a memtable, flushes them to blocks, and reads both. Contract
 * (test/contracts/point-storages.test.ts):
 * 1. A record that was appended is there after kill -9 of the process, whole or not at all, and in its order.
 * 2. `commit` saves blocks and forgets the records they came from as one: after a crash at any time every record is
 *    either still in the log or in blocks, never in both, never in neither.
 * 3. Another process may read log and blocks while one writes. A second writer is refused. A column's blocks are read
 *    as a snapshot, or so that blocks which were merged meanwhile are found again.
 * 4. Nothing reads more than requested; memory does not grow with what is stored.
 * 5. A torn or damaged record is counted and reported, and does not hide those before it.
 */
export interface PointStorage {
  readonly id: string;
  /** Torn or damaged records that were found when the log was opened; absent where that cannot be. */
  damage?(): readonly LogDamage[];
  /** Resolves when the record is durable; returns its number, which only grows. */
  appendLog(record: LogRecord): Promise<number>;
  /** Records that are not flushed, oldest first. To go on after the last one that was read reads nothing twice. */
  readLog(after?: number): AsyncIterable<NumberedRecord>;
  /** Number of the last record that is flushed; 0: none. It shows readers that their columns and memtables are stale. */
  flushedUpTo(): Promise<number>;
  /** As one: saves the blocks (those of a column and tier do not overlap once `replaced` are gone), deletes those named in `replaced`, and truncates the log up to `upTo`. */
  commit(change: BlockChange): Promise<void>;

  databases(): Promise<readonly string[]>;
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Those whose number is at least `from`, in the order of their numbers, so that a reader can follow a writer. */
  columns(from?: number): Promise<readonly StoredColumn[]>;
  /** Blocks of these columns that overlap the range, by column and time. */
  blocks(query: BlockQuery): AsyncIterable<StoredBlock>;
  /** The last block of each column. */
  lastBlocks(columns: readonly number[]): AsyncIterable<StoredBlock>;
  /** Deletes columns and all their blocks. */
  deleteColumns(columns: readonly number[]): Promise<void>;
  size(database: string): Promise<StorageSize>;
  close(): Promise<void>;
}

/** One write as it came: lines, and what is needed to parse them the same way again. */
export interface LogRecord {
  readonly database: string;
  /** Line protocol, or an instruction of ours such as a deletion. */
  readonly kind: 'lines' | 'instruction';
  readonly body: Uint8Array;
  /** Of timestamps in the lines. */
  readonly precision: Precision;
  /** For lines without a timestamp. */
  readonly receivedAt: Timestamp;
  /** Values that are not finite (nan, inf) are accepted; otherwise refused as InfluxDB does. */
  readonly keepsNotFinite?: boolean;
}

/** A part of the log that cannot be read. Torn: the end of a write that was cut off, and never acknowledged. */
export interface LogDamage {
  readonly place: string;
  readonly at: number;
  readonly bytes: number;
  readonly state: 'torn' | 'damaged';
}

export type Precision = 'n' | 'u' | 'ms' | 's' | 'm' | 'h';

export interface NumberedRecord extends LogRecord {
  readonly number: number;
}

/** Numbers are assigned once, by the engine, over all databases. */
export interface StoredColumn extends FieldKey {
  readonly database: string;
  readonly number: number;
  readonly type: FieldType;
}

export interface Block {
  readonly column: number;
  readonly first: Timestamp;
  readonly last: Timestamp;
  readonly count: number;
  /** 0: raw; 1 and more: summaries of ever longer spans. */
  readonly tier: number;
  readonly bytes: Uint8Array;
}

export interface StoredBlock extends Block {
  readonly id: number;
}

/** Of all databases at once, because they share the log. */
export interface BlockChange {
  /** New columns. */
  readonly columns: readonly StoredColumn[];
  readonly blocks: readonly Block[];
  readonly replaced: readonly number[];
  readonly upTo: number;
  /** Others follow and the log still has all of it: it need not be synced to disk yet. */
  readonly isPart?: boolean;
}

export interface BlockQuery {
  readonly columns: readonly number[];
  readonly range: TimeRange;
  readonly tier: number;
  /** Of each column the last block comes first. */
  readonly isNewestFirst?: boolean;
}

export interface StorageSize {
  readonly columns: number;
  readonly blocks: number;
  readonly points: number;
  readonly bytes: number;
  readonly logBytes: number;
}
