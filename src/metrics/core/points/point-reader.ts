import { NightmarkError } from '../../../platform/core/errors.ts';
import type { LogRecord, StoredColumn } from './point-storage.ts';
import type { ColumnValues, TimeRange } from './points.ts';

/** What queries are answered from: stored blocks and the newest points in memory as one. Given by src/app/points. */
export interface PointReader {
  databases(): readonly string[];
  /** All columns of a database, in the order of their numbers, which is that in which they came. */
  columns(database: string): readonly StoredColumn[];
  /** Values of one column in the range, oldest first; the last one written for a moment counts. */
  read(column: number, range: TimeRange, end?: ReadEnd): Promise<ColumnValues>;
  /** The same part by part, each good until the next one is asked for: many values need no memory of their own. */
  readParts?(column: number, range: TimeRange): Promise<Iterable<ColumnValues>>;
  /** The newest value of each of these columns, in their order; no values for a column that has none. */
  latest(columns: readonly number[]): Promise<readonly ColumnValues[]>;
}

/** Only so many values at one end of the range; what lies beyond them is not even looked at. */
export type ReadEnd = { readonly first: number } | { readonly last: number };

/** What takes points. Given by src/app/points. */
export interface PointWriter {
  /** Resolves when what was taken is safe; refused lines are told, and do not stop the others. */
  write(record: LogRecord): Promise<Written>;
  /** False: there is no such database. */
  hasDatabase(name: string): boolean;
}

export interface Written {
  readonly lines: number;
  /** Values that were taken: fields of points. */
  readonly values: number;
  /** The first ones; `refusedLines` counts all. */
  readonly refused: readonly RefusedLine[];
  readonly refusedLines: number;
  /** How many for which reason, of all; as `readLines` counts them. */
  readonly reasons?: RefusalCounts;
}

export type RefusalCounts = Readonly<Partial<Record<RefusalReason, number>>>;

export interface RefusedLine {
  readonly line: string;
  readonly reason: RefusalReason;
  /** As InfluxDB says it: "invalid number", "missing tag value" ... */
  readonly message: string;
}

export type RefusalReason =
  | 'syntax'
  | 'number'
  | 'time'
  | 'type-conflict'
  | 'not-finite'
  | 'too-long'
  /** A tag, or the only field, is called "time". */
  | 'reserved-name';

/** What changes databases. Given by src/app/points. */
export interface PointAdmin {
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Values of these columns in the range; columns that are left without any are forgotten. */
  deletePoints(columns: readonly number[], range: TimeRange): Promise<void>;
}

/** Errors of a store that cannot be used at the moment: whoever asked may ask again. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'POINTS_NOT_OPEN',
  'POINTS_POSTGRES_UNREACHABLE',
  'POINTS_SHELF_IN_USE',
]);

/** What to answer with 503; undefined when the error is another. */
export function storageUnavailableMessage(error: unknown): string | undefined {
  if (!(error instanceof NightmarkError) || !UNAVAILABLE.has(error.code)) return undefined;
  return `${error.message} ${error.hint ?? ''}`.trim();
}

/** Where points of jobs are kept. What is not finite is kept there, too: a loss that became NaN is a result. */
export const JOBS_DATABASE = 'jobs';
