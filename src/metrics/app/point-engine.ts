import type { MetricsRetention } from '../../home/core/home.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { readLines } from '../core/lines/read-lines.ts';
import { noValues } from '../core/points/column-values.ts';
import type { PointAdmin, PointReader, PointWriter, ReadEnd, Written } from '../core/points/point-reader.ts';
import type { LogDamage, LogRecord, PointStorage, StoredColumn } from '../core/points/point-storage.ts';
import type { ColumnValues, TimeRange } from '../core/points/points.ts';
import { ColumnRegistry } from '../core/series/column-registry.ts';
import {
  type BucketQuery,
  type Buckets,
  bucketColumn,
  type ColumnExtent,
  columnExtent,
} from './bucket-column.ts';
import { deletePoints } from './delete-points.ts';
import { type FlushPolicy, flushMemtable, flushPolicy, type PointEngineOptions } from './flush-memtable.ts';
import { LastValueCache } from './last-value-cache.ts';
import { laterOf, Memtable, newestInMemory } from './memtable.ts';
import { type DatabaseSize, databaseSize } from './points-status.ts';
import { NewestBlockCache, readColumn, readParts } from './read-column.ts';
import { applyRetention } from './retention.ts';

export interface PointEffects {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** A full disk is not asked again with every write. */
const RETRY_AFTER_MS = 10_000;

/** Time series of a home: the log and the newest points in memory, blocks on a shelf, read as one. One process writes. */
export class PointEngine implements PointReader, PointWriter, PointAdmin {
  readonly #shelf: PointStorage;
  readonly #effects: PointEffects;
  readonly #due: FlushPolicy;
  readonly #book = new ColumnRegistry();
  readonly #databases = new Set<string>();
  readonly #tails: LastValueCache;
  readonly #newest = new NewestBlockCache();
  /** Records on their way into the log. */
  readonly #appends = new Set<Promise<unknown>>();
  /** Columns that the shelf does not have yet. */
  #unsaved: readonly StoredColumn[] = [];
  #active: Memtable;
  /** What is being settled. */
  #frozen: Memtable | undefined;
  /** One thing at a time changes blocks. */
  #queue: Promise<unknown> = Promise.resolve();
  #isSettleDue = false;
  #isSettling = false;
  #failure: unknown;
  #retryAt = 0;

  private constructor(shelf: PointStorage, effects: PointEffects, options: PointEngineOptions) {
    this.#shelf = shelf;
    this.#effects = effects;
    this.#due = flushPolicy(options);
    this.#tails = new LastValueCache(shelf);
    this.#active = new Memtable(effects.clock.now());
  }

  /** Reads columns and log; the shelf belongs to the engine from then on. */
  static async open(
    shelf: PointStorage,
    effects: PointEffects,
    options: PointEngineOptions = {},
  ): Promise<PointEngine> {
    const engine = new PointEngine(shelf, effects, options);
    for (const name of await shelf.databases()) engine.#databases.add(name);
    for (const column of await shelf.columns()) engine.#book.add(column);
    for await (const record of shelf.readLog()) {
      engine.#take(record);
      engine.#active.lastRecord = record.number;
      if (engine.#active.count >= engine.#due.values(engine.#book.size)) await engine.flush();
    }
    return engine;
  }

  databases(): readonly string[] {
    return [...this.#databases].sort();
  }

  hasDatabase(name: string): boolean {
    return this.#databases.has(name);
  }

  columns(database: string): readonly StoredColumn[] {
    return this.#book.columns(database);
  }

  async write(record: LogRecord): Promise<Written> {
    if (!this.#databases.has(record.database)) throw noDatabase(record.database);
    // More comes in than is settled: wait, so that memory stays bounded.
    if (this.#active.count >= 2 * this.#due.values(this.#book.size)) await this.flush();
    const known = this.#book.size;
    const head = this.#active;
    const { rows, ...told } = this.#take(record);
    const written = { ...told, values: rows.count };
    if (written.values > 0 || this.#book.size !== known) await this.#append(record, head);
    this.#settleWhenDue();
    return written;
  }

  async read(column: number, range: TimeRange, end?: ReadEnd): Promise<ColumnValues> {
    const { type } = this.#book.at(column);
    const query = { column, type, range, newest: this.#newest };
    return readColumn(this.#shelf, this.#heads(), end ? { ...query, end } : query);
  }

  async readParts(column: number, range: TimeRange): Promise<Iterable<ColumnValues>> {
    const { type } = this.#book.at(column);
    return readParts(this.#shelf, this.#heads(), { column, type, range });
  }

  async latest(columns: readonly number[]): Promise<readonly ColumnValues[]> {
    const heads = this.#heads();
    const fresh = columns.map((column) => newestInMemory(heads, column));
    const stored = await this.#tails.newest(columns);
    return columns.map((column, index) => {
      const newest = laterOf(stored.get(column), fresh[index]);
      return newest ?? noValues(this.#book.at(column).type);
    });
  }

  /** The smallest and the largest of each of so many equal parts of the range. */
  buckets(column: number, range: BucketQuery['range'], buckets: number): Promise<Buckets> {
    const { type } = this.#book.at(column);
    return bucketColumn(this.#shelf, this.#heads(), { column, type, range, buckets });
  }

  /** Its first and last moment, without reading values. */
  extent(column: number): Promise<ColumnExtent | undefined> {
    return columnExtent(this.#shelf, this.#heads(), column);
  }

  createDatabase(name: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#shelf.createDatabase(name);
      this.#databases.add(name);
    });
  }

  dropDatabase(name: string): Promise<void> {
    this.#databases.delete(name);
    return this.#inTurn(async () => {
      // What is still in the log would come back with the next start.
      await this.#settle();
      await this.#shelf.dropDatabase(name);
      this.#forget(this.#book.columns(name).map(({ number }) => number));
      this.#databases.delete(name);
    });
  }

  deletePoints(columns: readonly number[], range: TimeRange): Promise<void> {
    return this.#inTurn(async () => {
      // All of it or nothing: records of the log hold values of many columns, and are forgotten as a whole. A log that
      // still had deleted values would bring them back; where it has none of these columns, it may stay.
      if (this.#isInMemory(columns)) await this.#settle();
      const emptied = await deletePoints(this.#shelf, columns, range);
      this.#tails.forget(columns);
      // Values that came meanwhile keep their column.
      const unused = emptied.filter((column) => !this.#isInMemory([column]));
      this.#forget(unused);
      await this.#shelf.deleteColumns(unused);
    });
  }

  /** Makes summaries of what is older than the policy of the database keeps. */
  retain(database: string, policy: MetricsRetention): Promise<void> {
    return this.#inTurn(async () => {
      await this.#settle();
      const columns = this.#book.columns(database).map(({ number }) => number);
      await applyRetention(this.#shelf, columns, { now: this.#effects.clock.now(), policy });
      this.#tails.forget(columns);
    });
  }

  size(database: string): Promise<DatabaseSize> {
    return databaseSize(database, this.columns(database), { shelf: this.#shelf, heads: this.#heads() });
  }

  /** What the log had lost when it was opened. */
  damage(): readonly LogDamage[] {
    return this.#shelf.damage?.() ?? [];
  }

  /** Why the last settling failed; undefined when it did not. What was written is in the log. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Settles what has been in memory for long, or could not be settled before, without waiting for the next write. */
  async settleOld(): Promise<void> {
    if (this.#isOld() || this.#failure !== undefined) await this.flush();
  }

  /** Everything that was written before is in blocks afterwards. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#settle());
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#shelf.close();
  }

  #heads(): readonly Memtable[] {
    return this.#frozen ? [this.#frozen, this.#active] : [this.#active];
  }

  #isInMemory(columns: readonly number[]): boolean {
    return this.#heads().some((head) => columns.some((column) => head.column(column)));
  }

  /** Numbers of columns are given in the order of the log, so that reading the log again gives the same ones. */
  #take(record: LogRecord) {
    const result = readLines(record.body, this.#book, record);
    this.#active.add(result.rows);
    return result;
  }

  async #append(record: LogRecord, head: Memtable): Promise<void> {
    const append = this.#shelf.appendLog(record).then((number) => {
      head.lastRecord = Math.max(head.lastRecord, number);
    });
    this.#appends.add(append);
    try {
      await append;
    } catch (error) {
      // The log lacks columns that the book has now; with all of them on the shelf the two agree again.
      this.#isSettleDue = true;
      throw error;
    } finally {
      this.#appends.delete(append);
    }
  }

  #isOld(): boolean {
    const { count, since } = this.#active;
    return count > 0 && this.#effects.clock.now() - since > this.#due.afterMs;
  }

  #settleWhenDue(): void {
    const { count } = this.#active;
    const isDue =
      this.#isSettleDue ||
      this.#isOld() ||
      count >= this.#due.values(this.#book.size) ||
      this.#failure !== undefined;
    if (this.#isSettling || !isDue || this.#effects.clock.now() < this.#retryAt) return;
    this.#isSettleDue = false;
    this.#isSettling = true;
    // Nobody waits for this one: a failure is told by the next flush, and the points stay in the log.
    this.flush()
      .catch((error: unknown) => {
        this.#failure = error;
        this.#retryAt = this.#effects.clock.now() + RETRY_AFTER_MS;
      })
      .finally(() => {
        this.#isSettling = false;
      });
  }

  async #settle(): Promise<void> {
    // A settling that failed is done again before the next one.
    const isRetry = this.#frozen !== undefined;
    if (!isRetry) this.#freeze();
    if (this.#frozen) {
      await Promise.allSettled([...this.#appends]);
      this.#unsaved = [...this.#unsaved, ...this.#book.takeNew()];
      const columns = this.#unsaved;
      const pause = () => this.#effects.clock.sleep(0);
      await flushMemtable(this.#frozen, columns, { shelf: this.#shelf, tails: this.#tails, pause });
      this.#unsaved = this.#unsaved.slice(columns.length);
      this.#frozen = undefined;
    }
    this.#failure = undefined;
    if (isRetry) await this.#settle();
  }

  #freeze(): void {
    if (this.#active.count === 0) return;
    this.#frozen = this.#active;
    this.#active = new Memtable(this.#effects.clock.now());
  }

  #forget(columns: readonly number[]): void {
    this.#book.remove(columns);
    this.#tails.forget(columns);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#queue.then(() => this.#newest.whileChanging(work));
    this.#queue = mine.catch(() => undefined);
    return mine;
  }
}

function noDatabase(name: string): NightmarkError {
  return new NightmarkError('POINTS_NO_DATABASE', `There is no database "${name}".`, {
    hint: `Create it first: CREATE DATABASE "${name}"`,
  });
}
