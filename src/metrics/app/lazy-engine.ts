import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { PointAdmin, PointReader, PointWriter, ReadEnd, Written } from '../core/points/point-reader.ts';
import type { LogRecord, StoredColumn } from '../core/points/point-storage.ts';
import type { ColumnValues, TimeRange } from '../core/points/points.ts';
import type { BucketQuery, Buckets, ColumnExtent } from './bucket-column.ts';
import type { PointEngine } from './point-engine.ts';
import type { DatabaseSize } from './points-status.ts';

/** An engine that may be opened later: until then every call fails with the reason why it is unavailable. */
export class LazyEngine implements PointReader, PointWriter, PointAdmin {
  #engine: PointEngine | undefined;
  #reason = 'it has not been opened yet';

  get engine(): PointEngine | undefined {
    return this.#engine;
  }

  /** Why it is unavailable; undefined when it is not. */
  get problem(): string | undefined {
    return this.#engine === undefined ? this.#reason : undefined;
  }

  setUnavailable(reason: string): void {
    this.#reason = reason;
  }

  setEngine(engine: PointEngine): void {
    this.#engine = engine;
  }

  databases(): readonly string[] {
    return this.#opened().databases();
  }

  hasDatabase(name: string): boolean {
    return this.#opened().hasDatabase(name);
  }

  columns(database: string): readonly StoredColumn[] {
    return this.#opened().columns(database);
  }

  async write(record: LogRecord): Promise<Written> {
    return this.#opened().write(record);
  }

  async read(column: number, range: TimeRange, end?: ReadEnd): Promise<ColumnValues> {
    return this.#opened().read(column, range, end);
  }

  async readParts(column: number, range: TimeRange): Promise<Iterable<ColumnValues>> {
    return this.#opened().readParts(column, range);
  }

  async latest(columns: readonly number[]): Promise<readonly ColumnValues[]> {
    return this.#opened().latest(columns);
  }

  async buckets(column: number, range: BucketQuery['range'], buckets: number): Promise<Buckets> {
    return this.#opened().buckets(column, range, buckets);
  }

  async extent(column: number): Promise<ColumnExtent | undefined> {
    return this.#opened().extent(column);
  }

  async size(database: string): Promise<DatabaseSize> {
    return this.#opened().size(database);
  }

  async createDatabase(name: string): Promise<void> {
    return this.#opened().createDatabase(name);
  }

  async dropDatabase(name: string): Promise<void> {
    return this.#opened().dropDatabase(name);
  }

  async deletePoints(columns: readonly number[], range: TimeRange): Promise<void> {
    return this.#opened().deletePoints(columns, range);
  }

  #opened(): PointEngine {
    if (this.#engine) return this.#engine;
    throw new NightmarkError('POINTS_NOT_OPEN', `The storage of points is unavailable: ${this.#reason}`, {
      hint: 'It is retried automatically. Send again later.',
    });
  }
}

export interface RetriedOpening<T> {
  open(): Promise<T>;
  /** Whether to retry; may report. An error that it throws itself ends everything. */
  failed(error: unknown): boolean;
}

const FIRST_PAUSE_MS = 500;
/** A storage that is available again is found within this time. */
const MAX_PAUSE_MS = 15_000;

/** Retries with backoff until it is open. Undefined: it was cancelled, or `failed` returned that a retry makes no sense. */
export async function openWithRetry<T>(
  { open, failed }: RetriedOpening<T>,
  { clock, signal }: { readonly clock: Pick<Clock, 'sleep'>; readonly signal: CancelSignal },
): Promise<T | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    await clock.sleep(pauseMs, signal);
    if (signal.aborted) return undefined;
    try {
      return await open();
    } catch (error) {
      if (!failed(error)) return undefined;
    }
  }
}
