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

/** Reads points that another process writes. `refresh` brings it to where the writer is; reads do so by themselves. */
export class PointFollower implements PointReader {
  readonly #storage: PointStorage;
  #registry = new ColumnRegistry();
  #databases: readonly string[] = [];
  #memtable = new Memtable(0);
  #followed: ReadPosition | undefined;
  #refreshing: Promise<void> | undefined;

  private constructor(storage: PointStorage) {
    this.#storage = storage;
  }

  /** The storage was opened to be read only, and belongs to the follower from then on. */
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
    const news = await readChanges(this.#storage, this.#followed);
    if (news.state === 'anew') {
      this.#registry = new ColumnRegistry();
      this.#memtable = new Memtable(0);
      for (const column of news.columns) this.#registry.add(column);
      this.#followed = { settled: news.settled, last: news.settled };
    }
    this.#databases = news.state === 'anew' ? news.databases : await this.#storage.databases();
    for (const record of news.records) {
      this.#memtable.add(readLines(record.body, this.#registry, record).rows);
      this.#followed = { settled: this.#followed?.settled ?? 0, last: record.number };
    }
  }
}

/** What a reader has to do to be where the writer is. */
export type StorageChanges =
  /** Records since the last look. */
  | { readonly state: 'more'; readonly records: readonly NumberedRecord[] }
  /** The writer has settled: everything is to be learned anew. */
  | {
      readonly state: 'anew';
      readonly settled: number;
      readonly columns: readonly StoredColumn[];
      readonly databases: readonly string[];
      readonly records: readonly NumberedRecord[];
    };

/** How far a reader has come. */
export interface ReadPosition {
  /** What was settled when columns and records were read. */
  readonly settled: number;
  readonly last: number;
}

/** A writer that settles all the time is looked at again so often; then the news are a moment old. */
const MAX_ATTEMPTS = 10;

/**
 * Reads what another process wrote meanwhile, and no more. Numbers of columns are given in the order of the log, so columns
 * and log must belong together: what is settled tells whether the writer has changed that in between.
 */
async function readChanges(storage: PointStorage, known: ReadPosition | undefined): Promise<StorageChanges> {
  const settled = await storage.flushedUpTo();
  if (known && settled === known.settled) {
    const records = await recordsOf(storage, known.last);
    if ((await storage.flushedUpTo()) === settled) return { state: 'more', records };
  }
  for (let look = 0; ; look++) {
    const before = await storage.flushedUpTo();
    const [databases, columns] = [await storage.databases(), await storage.columns()];
    const records = await recordsOf(storage, 0);
    const isWhole = (await storage.flushedUpTo()) === before;
    if (isWhole || look >= MAX_ATTEMPTS)
      return { state: 'anew', settled: before, databases, columns, records: isWhole ? records : [] };
  }
}

async function recordsOf(storage: PointStorage, after: number): Promise<readonly NumberedRecord[]> {
  const records: NumberedRecord[] = [];
  for await (const record of storage.readLog(after)) records.push(record);
  return records;
}
