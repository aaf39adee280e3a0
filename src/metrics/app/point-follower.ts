import { readLines } from '../core/lines/read-lines.ts';
import { noValues } from '../core/points/column-values.ts';
import type { PointReader, ReadEnd } from '../core/points/point-reader.ts';
import type { PointStorage, StoredColumn } from '../core/points/point-storage.ts';
import type { ColumnValues, TimeRange } from '../core/points/points.ts';
import { ColumnRegistry } from '../core/series/column-registry.ts';
import { type DatabaseSize, databaseSize } from './database-size.ts';
import { type Followed, followShelf } from './follow-shelf.ts';
import { Head } from './head.ts';
import { laterOf, newestInHeads } from './newest-value.ts';
import { readColumn } from './read-column.ts';
import { Tails } from './tails.ts';

/** Reads points that another process writes. `refresh` brings it to where the writer is; reads do so by themselves. */
export class PointFollower implements PointReader {
  readonly #shelf: PointStorage;
  #book = new ColumnRegistry();
  #databases: readonly string[] = [];
  #head = new Head(0);
  #followed: Followed | undefined;
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
    const [book, fresh] = [this.#book, columns.map((column) => newestInHeads([this.#head], column))];
    const stored = await new Tails(this.#shelf).newest(columns);
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
    const news = await followShelf(this.#shelf, this.#followed);
    if (news.state === 'anew') {
      this.#book = new ColumnRegistry();
      this.#head = new Head(0);
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
