import { readLines } from '../core/lines/read-lines.ts';
import { noValues } from '../core/points/column-values.ts';
import type { PointReader, ReadEnd } from '../core/points/point-reader.ts';
import type { NumberedRecord, PointStorage, StoredColumn } from '../core/points/point-storage.ts';
import type { ColumnValues, TimeRange } from '../core/points/points.ts';
import { ColumnRegistry } from '../core/series/column-registry.ts';
import { LastValueCache } from './last-value-cache.ts';
import { laterOf, Memtable, newestInMemory } from './memtable.ts';
import { type DatabaseSize, databaseSize } from './points-status.ts';
import { readColumn } from './read-column.ts';

/** Reads points that another process writes. `refresh` catches up with the writer; reads do so by themselves. */
export class PointFollower implements PointReader {
  readonly #storage: PointStorage;
  #registry = new ColumnRegistry();
  #databases: readonly string[] = [];
  #memtable = new Memtable(0);
  #position: ReadPosition | undefined;
  #refreshing: Promise<void> | undefined;

  private constructor(storage: PointStorage) {
    this.#storage = storage;
  }

  /** The storage was opened read-only, and the follower owns it from then on. */
  static async open(storage: PointStorage): Promise<PointFollower> {
    const follower = new PointFollower(storage);
    await follower.refresh();
    return follower;
  }

  databases(): readonly string[] {
    return this.#databases;
  }

  columns(database: string): readonly StoredColumn[] {
    return this.#registry.columns(database);
  }

  async read(column: number, range: TimeRange, end?: ReadEnd): Promise<ColumnValues> {
    await this.refresh();
    const { type } = this.#registry.at(column);
    return readColumn(this.#storage, [this.#memtable], { column, type, range, ...(end && { end }) });
  }

  async latest(columns: readonly number[]): Promise<readonly ColumnValues[]> {
    await this.refresh();
    const [registry, fresh] = [
      this.#registry,
      columns.map((column) => newestInMemory([this.#memtable], column)),
    ];
    const stored = await new LastValueCache(this.#storage).newest(columns);
    return columns.map(
      (column, index) => laterOf(stored.get(column), fresh[index]) ?? noValues(registry.at(column).type),
    );
  }

  async size(database: string): Promise<DatabaseSize> {
    await this.refresh();
    return databaseSize(database, this.columns(database), {
      storage: this.#storage,
      memtables: [this.#memtable],
    });
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  async #refresh(): Promise<void> {
    const changes = await readChanges(this.#storage, this.#position);
    if (changes.state === 'reload') {
      this.#registry = new ColumnRegistry();
      this.#memtable = new Memtable(0);
      for (const column of changes.columns) this.#registry.add(column);
      this.#position = { flushed: changes.flushed, last: changes.flushed };
    }
    this.#databases = changes.state === 'reload' ? changes.databases : await this.#storage.databases();
    for (const record of changes.records) {
      this.#memtable.add(readLines(record.body, this.#registry, record).rows);
      this.#position = { flushed: this.#position?.flushed ?? 0, last: record.number };
    }
  }
}

/** What a reader lacks to catch up with the writer. */
export type StorageChanges =
  /** Records since the last read. */
  | { readonly state: 'more'; readonly records: readonly NumberedRecord[] }
  /** The writer has flushed: everything has to be read again. */
  | {
      readonly state: 'reload';
      readonly flushed: number;
      readonly columns: readonly StoredColumn[];
      readonly databases: readonly string[];
      readonly records: readonly NumberedRecord[];
    };

/** How far a reader has read. */
export interface ReadPosition {
  /** Number of the last flushed record when columns and records were read. */
  readonly flushed: number;
  readonly last: number;
}

/** A writer that flushes all the time is read again this often; then the result is slightly stale. */
const MAX_ATTEMPTS = 10;

/**
 * Reads only what another process wrote since. Columns are numbered in the order of the log, so columns and log must
 * belong together: `flushedUpTo` shows whether the writer flushed in between.
 */
async function readChanges(
  storage: PointStorage,
  position: ReadPosition | undefined,
): Promise<StorageChanges> {
  const flushed = await storage.flushedUpTo();
  if (position && flushed === position.flushed) {
    const records = await recordsOf(storage, position.last);
    if ((await storage.flushedUpTo()) === flushed) return { state: 'more', records };
  }
  for (let attempt = 0; ; attempt++) {
    const before = await storage.flushedUpTo();
    const [databases, columns] = [await storage.databases(), await storage.columns()];
    const records = await recordsOf(storage, 0);
    const isWhole = (await storage.flushedUpTo()) === before;
    if (isWhole || attempt >= MAX_ATTEMPTS)
      return { state: 'reload', flushed: before, databases, columns, records: isWhole ? records : [] };
  }
}

async function recordsOf(storage: PointStorage, after: number): Promise<readonly NumberedRecord[]> {
  const records: NumberedRecord[] = [];
  for await (const record of storage.readLog(after)) records.push(record);
  return records;
}
