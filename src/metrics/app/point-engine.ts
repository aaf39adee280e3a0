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

/** After a failed flush, so that a full disk is not tried with every write. */
const RETRY_AFTER_MS = 10_000;

/** Time series of a home: write-ahead log, memtable and blocks, read as one. One process writes. */
export class PointEngine implements PointReader, PointWriter, PointAdmin {
  readonly #storage: PointStorage;
  readonly #effects: PointEffects;
  readonly #policy: FlushPolicy;
  readonly #registry = new ColumnRegistry();
  readonly #databases = new Set<string>();
  readonly #lastValues: LastValueCache;
  readonly #newest = new NewestBlockCache();
  /** Records on their way into the log. */
  readonly #appends = new Set<Promise<unknown>>();
  /** Columns that are not stored yet. */
  #unsaved: readonly StoredColumn[] = [];
  #active: Memtable;
  /** What is being flushed. */
  #frozen: Memtable | undefined;
  /** Changes of blocks run one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #isFlushDue = false;
  #isFlushing = false;
  #failure: unknown;
  #retryAt = 0;

  private constructor(storage: PointStorage, effects: PointEffects, options: PointEngineOptions) {
    this.#storage = storage;
    this.#effects = effects;
    this.#policy = flushPolicy(options);
    this.#lastValues = new LastValueCache(storage);
    this.#active = new Memtable(effects.clock.now());
  }

  /** Reads columns and log; the engine owns the storage from then on. */
  static async open(
    storage: PointStorage,
    effects: PointEffects,
    options: PointEngineOptions = {},
  ): Promise<PointEngine> {
    const engine = new PointEngine(storage, effects, options);
    for (const name of await storage.databases()) engine.#databases.add(name);
    for (const column of await storage.columns()) engine.#registry.add(column);
    for await (const record of storage.readLog()) {
      engine.#insert(record);
      engine.#active.lastRecord = record.number;
      if (engine.#active.count >= engine.#policy.values(engine.#registry.size)) await engine.flush();
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
    return this.#registry.columns(database);
  }

  async write(record: LogRecord): Promise<Written> {
    if (!this.#databases.has(record.database)) throw noDatabase(record.database);
    // Backpressure: more comes in than is flushed.
    if (this.#active.count >= 2 * this.#policy.values(this.#registry.size)) await this.flush();
    const columnsBefore = this.#registry.size;
    const memtable = this.#active;
    const { rows, ...outcome } = this.#insert(record);
    const written = { ...outcome, values: rows.count };
    if (written.values > 0 || this.#registry.size !== columnsBefore) await this.#append(record, memtable);
    this.#flushWhenDue();
    return written;
  }

  async read(column: number, range: TimeRange, end?: ReadEnd): Promise<ColumnValues> {
    const { type } = this.#registry.at(column);
    const query = { column, type, range, newest: this.#newest };
    return readColumn(this.#storage, this.#memtables(), end ? { ...query, end } : query);
  }

  async readParts(column: number, range: TimeRange): Promise<Iterable<ColumnValues>> {
    const { type } = this.#registry.at(column);
    return readParts(this.#storage, this.#memtables(), { column, type, range });
  }

  async latest(columns: readonly number[]): Promise<readonly ColumnValues[]> {
    const memtables = this.#memtables();
    const fresh = columns.map((column) => newestInMemory(memtables, column));
    const stored = await this.#lastValues.newest(columns);
    return columns.map((column, index) => {
      const newest = laterOf(stored.get(column), fresh[index]);
      return newest ?? noValues(this.#registry.at(column).type);
    });
  }

  /** Minimum and maximum of each of this many equal parts of the range. */
  buckets(column: number, range: BucketQuery['range'], buckets: number): Promise<Buckets> {
    const { type } = this.#registry.at(column);
    return bucketColumn(this.#storage, this.#memtables(), { column, type, range, buckets });
  }

  /** Its first and last timestamp, without reading values. */
  extent(column: number): Promise<ColumnExtent | undefined> {
    return columnExtent(this.#storage, this.#memtables(), column);
  }

  createDatabase(name: string): Promise<void> {
    return this.#serialize(async () => {
      await this.#storage.createDatabase(name);
      this.#databases.add(name);
    });
  }

  dropDatabase(name: string): Promise<void> {
    this.#databases.delete(name);
    return this.#serialize(async () => {
      // What is still in the log would come back at the next start.
      await this.#flushNow();
      await this.#storage.dropDatabase(name);
      this.#forget(this.#registry.columns(name).map(({ number }) => number));
      this.#databases.delete(name);
    });
  }

  deletePoints(columns: readonly number[], range: TimeRange): Promise<void> {
    return this.#serialize(async () => {
      // A log record holds values of many columns and is truncated as a whole. A log that still had deleted values would
      // bring them back; where it has none of these columns, it may stay.
      if (this.#isInMemory(columns)) await this.#flushNow();
      const emptied = await deletePoints(this.#storage, columns, range);
      this.#lastValues.forget(columns);
      // Values that came meanwhile keep their column.
      const unused = emptied.filter((column) => !this.#isInMemory([column]));
      this.#forget(unused);
      await this.#storage.deleteColumns(unused);
    });
  }

  /** Downsamples or deletes what is older than the retention policy keeps. */
  retain(database: string, policy: MetricsRetention): Promise<void> {
    return this.#serialize(async () => {
      await this.#flushNow();
      const columns = this.#registry.columns(database).map(({ number }) => number);
      await applyRetention(this.#storage, columns, { now: this.#effects.clock.now(), policy });
      this.#lastValues.forget(columns);
    });
  }

  size(database: string): Promise<DatabaseSize> {
    return databaseSize(database, this.columns(database), {
      storage: this.#storage,
      memtables: this.#memtables(),
    });
  }

  /** Damage of the log that was found when it was opened. */
  damage(): readonly LogDamage[] {
    return this.#storage.damage?.() ?? [];
  }

  /** Why the last flush failed; undefined when it did not. What was written is in the log. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Flushes what has been in memory for long, or could not be flushed before, without waiting for the next write. */
  async flushOld(): Promise<void> {
    if (this.#isOld() || this.#failure !== undefined) await this.flush();
  }

  /** Everything that was written before the call is in blocks afterwards. */
  flush(): Promise<void> {
    return this.#serialize(() => this.#flushNow());
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#storage.close();
  }

  #memtables(): readonly Memtable[] {
    return this.#frozen ? [this.#frozen, this.#active] : [this.#active];
  }

  #isInMemory(columns: readonly number[]): boolean {
    return this.#memtables().some((memtable) => columns.some((column) => memtable.column(column)));
  }

  /** Columns are numbered in the order of the log, so that replaying it assigns the same numbers. */
  #insert(record: LogRecord) {
    const result = readLines(record.body, this.#registry, record);
    this.#active.add(result.rows);
    return result;
  }

  async #append(record: LogRecord, memtable: Memtable): Promise<void> {
    const append = this.#storage.appendLog(record).then((number) => {
      memtable.lastRecord = Math.max(memtable.lastRecord, number);
    });
    this.#appends.add(append);
    try {
      await append;
    } catch (error) {
      // The log lacks columns that the registry has now; once all of them are stored the two agree again.
      this.#isFlushDue = true;
      throw error;
    } finally {
      this.#appends.delete(append);
    }
  }

  #isOld(): boolean {
    const { count, since } = this.#active;
    return count > 0 && this.#effects.clock.now() - since > this.#policy.afterMs;
  }

  #flushWhenDue(): void {
    const { count } = this.#active;
    const isDue =
      this.#isFlushDue ||
      this.#isOld() ||
      count >= this.#policy.values(this.#registry.size) ||
      this.#failure !== undefined;
    if (this.#isFlushing || !isDue || this.#effects.clock.now() < this.#retryAt) return;
    this.#isFlushDue = false;
    this.#isFlushing = true;
    // Not awaited: the next flush reports a failure, and the points stay in the log.
    this.flush()
      .catch((error: unknown) => {
        this.#failure = error;
        this.#retryAt = this.#effects.clock.now() + RETRY_AFTER_MS;
      })
      .finally(() => {
        this.#isFlushing = false;
      });
  }

  async #flushNow(): Promise<void> {
    // A flush that failed is repeated before the next one.
    const isRetry = this.#frozen !== undefined;
    if (!isRetry) this.#freeze();
    if (this.#frozen) {
      await Promise.allSettled([...this.#appends]);
      this.#unsaved = [...this.#unsaved, ...this.#registry.takeNew()];
      const columns = this.#unsaved;
      const pause = () => this.#effects.clock.sleep(0);
      await flushMemtable(this.#frozen, columns, {
        storage: this.#storage,
        lastValues: this.#lastValues,
        pause,
      });
      this.#unsaved = this.#unsaved.slice(columns.length);
      this.#frozen = undefined;
    }
    this.#failure = undefined;
    if (isRetry) await this.#flushNow();
  }

  #freeze(): void {
    if (this.#active.count === 0) return;
    this.#frozen = this.#active;
    this.#active = new Memtable(this.#effects.clock.now());
  }

  #forget(columns: readonly number[]): void {
    this.#registry.remove(columns);
    this.#lastValues.forget(columns);
  }

  #serialize<T>(work: () => Promise<T>): Promise<T> {
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
