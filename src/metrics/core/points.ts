/** Moments to the nanosecond as columns: whole milliseconds since 1970, and nanoseconds beyond each (0 to 999,999). */
export interface Moments {
  readonly ms: Float64Array;
  readonly ns: Int32Array;
}

/** One moment; what `Moments` holds many of. */
export interface Moment {
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
 * `ColumnBook` gives to measurement, tags and field, so that a million points make no objects.
 */
export interface PointRows {
  readonly count: number;
  readonly column: Uint32Array;
  readonly moments: Moments;
  /** Index in FIELD_TYPES. */
  readonly type: Uint8Array;
  /** The number; 0 or 1 for a boolean; for what a number cannot hold, the index in `others`. */
  readonly value: Float64Array;
  /** Strings, and integers beyond 2^53. */
  readonly others: readonly (string | bigint)[];
  /** Rows whose value is in `others`: 1. */
  readonly isOther: Uint8Array;
}

/** Values of one column in the order of time, each moment once. */
export interface ColumnValues {
  readonly type: FieldType;
  readonly moments: Moments;
  /** Numbers as they are; booleans 0 or 1; undefined for strings. */
  readonly numbers?: Float64Array;
  /** Integers of which at least one is beyond 2^53; then `numbers` holds the nearest. */
  readonly bigints?: BigInt64Array | BigUint64Array;
  readonly strings?: readonly string[];
}

/** From the first moment on, before the second; either end may be open. */
export interface TimeRange {
  readonly from?: Moment;
  readonly to?: Moment;
}
