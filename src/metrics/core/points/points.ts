import type { Clock } from '../../../platform/core/clock.ts';

/** Timestamps to the nanosecond as columns: whole milliseconds since 1970, and nanoseconds beyond each (0 to 999,999). */
export interface Timestamps {
  readonly ms: Float64Array;
  readonly ns: Int32Array;
}

export interface Timestamp {
  readonly ms: number;
  readonly ns: number;
}

export type FieldType = 'float' | 'integer' | 'unsigned' | 'boolean' | 'string';

/** Numbers that stand for the types in columns and on disk; never renumbered. */
export const FIELD_TYPES: readonly FieldType[] = ['float', 'integer', 'unsigned', 'boolean', 'string'];

/** Tags of a series, sorted by key. */
export type Tags = readonly (readonly [key: string, value: string])[];

/** One field of one series: what has a column of values. */
export interface FieldKey {
  readonly measurement: string;
  readonly tags: Tags;
  readonly field: string;
}

/**
 * Points as rows of parallel columns, one row for each field of each point, as they came. `column` is the number that a
 * `ColumnRegistry` assigns to measurement, tags and field, so that a million points make no objects.
 */
export interface PointRows {
  readonly count: number;
  readonly column: Uint32Array;
  readonly timestamps: Timestamps;
  /** Index in FIELD_TYPES. */
  readonly type: Uint8Array;
  /** The number; 0 or 1 for a boolean; for what a number cannot hold, the index in `others`. */
  readonly value: Float64Array;
  /** Strings, and integers beyond 2^53. */
  readonly others: readonly (string | bigint)[];
  /** Rows whose value is in `others`: 1. */
  readonly isOther: Uint8Array;
}

/** Values of one column in time order, each timestamp once. */
export interface ColumnValues {
  readonly type: FieldType;
  readonly timestamps: Timestamps;
  /** Numbers as they are; booleans 0 or 1; undefined for strings. */
  readonly numbers?: Float64Array;
  /** Integers of which at least one is beyond 2^53; then `numbers` holds the nearest. */
  readonly bigints?: BigInt64Array | BigUint64Array;
  readonly strings?: readonly string[];
}

/** From `from` (inclusive) to `to` (exclusive); either end may be open. */
export interface TimeRange {
  readonly from?: Timestamp;
  readonly to?: Timestamp;
}

/** Below 0: a comes first. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return a.ms - b.ms || a.ns - b.ns;
}

export function timestampAt({ ms, ns }: Timestamps, index: number): Timestamp {
  return { ms: ms[index] as number, ns: ns[index] as number };
}

/** How many of these sorted timestamps are before `end`. */
export function countBefore({ ms, ns }: Timestamps, end: Timestamp): number {
  let [low, high] = [0, ms.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const difference = (ms[middle] as number) - end.ms || (ns[middle] as number) - end.ns;
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the range begins and ends among sorted timestamps. */
export function indexRange(
  timestamps: Timestamps,
  { from, to }: TimeRange,
): readonly [start: number, end: number] {
  const start = from ? countBefore(timestamps, from) : 0;
  const end = to ? countBefore(timestamps, to) : timestamps.ms.length;
  return [start, Math.max(start, end)];
}

/** The next timestamp. */
export function justAfter({ ms, ns }: Timestamp): Timestamp {
  return ns < 999_999 ? { ms, ns: ns + 1 } : { ms: ms + 1, ns: 0 };
}

/** Beyond this the clock was set, and we follow it. */
const MAX_DRIFT_MS = 2;

/** Timestamps to the microsecond and better, each later than the one before, so that no two points share one by chance. */
export function uniqueTimestamps(clock: Pick<Clock, 'now' | 'micros'>): () => Timestamp {
  let base = clock.now() * 1000 - clock.micros();
  let last: Timestamp = { ms: 0, ns: 0 };
  return () => {
    const now = clock.now();
    if (Math.abs((base + clock.micros()) / 1000 - now) > MAX_DRIFT_MS) base = now * 1000 - clock.micros();
    const micros = base + clock.micros();
    const ms = Math.floor(micros / 1000);
    const read = { ms, ns: (micros - ms * 1000) * 1000 };
    const isLater = read.ms > last.ms || (read.ms === last.ms && read.ns > last.ns);
    last = isLater ? read : justAfter(last);
    return last;
  };
}
