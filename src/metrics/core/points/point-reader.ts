import { NightmarkError } from '../../../platform/core/errors.ts';
import type { LogRecord, StoredColumn } from './point-storage.ts';
import type { ColumnValues, TimeRange } from './points.ts';

/** What queries are answered from: stored blocks and the newest points in memory as one. Implemented in src/metrics/app. */
export interface PointReader {
  databases(): readonly string[];
  /** All columns of a database, in the order of their numbers, which is that in which they were created. */
  columns(database: string): readonly StoredColumn[];
  /** Values of one column in the range, oldest first; the last one written for a timestamp counts. */
  read(column: number, range: TimeRange, end?: ReadEnd): Promise<ColumnValues>;
  /** The same in parts, each valid until the next one is read: many values need no memory of their own. */
  readParts?(column: number, range: TimeRange): Promise<Iterable<ColumnValues>>;
  /** The newest value of each of these columns, in their order; no values for a column that has none. */
  latest(columns: readonly number[]): Promise<readonly ColumnValues[]>;
}

/** Only this many values at one end of the range; others are not read. */
export type ReadEnd = { readonly first: number } | { readonly last: number };

/** What points are written to. Implemented in src/metrics/app. */
export interface PointWriter {
  /** Resolves when what was accepted is durable; refused lines are reported, and do not stop the others. */
  write(record: LogRecord): Promise<Written>;
  /** False: there is no such database. */
  hasDatabase(name: string): boolean;
}

export interface Written {
  readonly lines: number;
  /** Values that were accepted: fields of points. */
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
  /** The message of InfluxDB: "invalid number", "missing tag value" ... */
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

/** What changes databases. Implemented in src/metrics/app. */
export interface PointAdmin {
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Values of these columns in the range; columns that are left without any are deleted. */
  deletePoints(columns: readonly number[], range: TimeRange): Promise<void>;
}

/** Errors of a storage that is temporarily unavailable: a retry may succeed. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'POINTS_NOT_OPEN',
  'POINTS_POSTGRES_UNREACHABLE',
  'POINTS_SHELF_IN_USE',
]);

/** The message of a 503 response; undefined for other errors. */
export function storageUnavailableMessage(error: unknown): string | undefined {
  if (!(error instanceof NightmarkError) || !UNAVAILABLE.has(error.code)) return undefined;
  return `${error.message} ${error.hint ?? ''}`.trim();
}

/** The database of the points of jobs. It accepts values that are not finite: a loss that became NaN is a result. */
export const JOBS_DATABASE = 'jobs';
