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
  readonly #shelf: PointStorage;
  #book = new ColumnRegistry();
  #databases: readonly string[] = [];
  #head = new Memtable(0);
  #followed: ReadPosition | undefined;
  #refreshing: Promise<void> | undefined;

  private constructor(shelf: PointStorage) {
    this.#shelf = shelf;
  }

  /** The shelf was opened to be read only, and belongs to the follower from then on. */
  static async open(shelf: PointStorage): Promise<PointFollower> {
    const follower = new PointFollower(shelf);
    await follower.refresh();
    return follower;
  }

  databases(): readonly string[] {
    return this.#databases;
  }

  columns(database: string): readonly StoredColumn[] {
    return this.#book.columns(database);
  }

  async read(column: number, range: TimeRange, end?: ReadEnd): Promise<ColumnValues> {
    await this.refresh();
    const { type } = this.#book.at(column);
    return readColumn(this.#shelf, [this.#head], { column, type, range, ...(end && { end }) });
  }

  async latest(columns: readonly number[]): Promise<readonly ColumnValues[]> {
    await this.refresh();
    const [book, fresh] = [this.#book, columns.map((column) => newestInMemory([this.#head], column))];
    const stored = await new LastValueCache(this.#shelf).newest(columns);
    return columns.map(
      (column, index) => laterOf(stored.get(column), fresh[index]) ?? noValues(book.at(column).type),
    );
  }

  async size(database: string): Promise<DatabaseSize> {
    await this.refresh();
    return databaseSize(database, this.columns(database), { shelf: this.#shelf, heads: [this.#head] });
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  close(): Promise<void> {
    return this.#shelf.close();
  }

  async #refresh(): Promise<void> {
    const news = await readChanges(this.#shelf, this.#followed);
    if (news.state === 'anew') {
      this.#book = new ColumnRegistry();
      this.#head = new Memtable(0);
      for (const column of news.columns) this.#book.add(column);
      this.#followed = { settled: news.settled, last: news.settled };
    }
    this.#databases = news.state === 'anew' ? news.databases : await this.#shelf.databases();
    for (const record of news.records) {
      this.#head.add(readLines(record.body, this.#book, record).rows);
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
async function readChanges(shelf: PointStorage, known: ReadPosition | undefined): Promise<StorageChanges> {
  const settled = await shelf.settledUpTo();
  if (known && settled === known.settled) {
    const records = await recordsOf(shelf, known.last);
    if ((await shelf.settledUpTo()) === settled) return { state: 'more', records };
  }
  for (let look = 0; ; look++) {
    const before = await shelf.settledUpTo();
    const [databases, columns] = [await shelf.databases(), await shelf.columns()];
    const records = await recordsOf(shelf, 0);
    const isWhole = (await shelf.settledUpTo()) === before;
    if (isWhole || look >= MAX_ATTEMPTS)
      return { state: 'anew', settled: before, databases, columns, records: isWhole ? records : [] };
  }
}

async function recordsOf(shelf: PointStorage, after: number): Promise<readonly NumberedRecord[]> {
  const records: NumberedRecord[] = [];
  for await (const record of shelf.readLog(after)) records.push(record);
  return records;
}
