import type { JsonDialect } from './json-dialect.ts';

export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, string | number | null | Uint8Array>>;

/** Asks one database; `$1`, `$2` ... stand for values. Both dialects understand all statements of the queue. */
export interface Session {
  readonly dialect: Dialect;
  rows<T extends Row = Row>(sql: string, values?: readonly Value[]): Promise<readonly T[]>;
}

export interface Database extends Session {
  /** All or nothing. May be done again from its beginning when others were in the way. */
  atomically<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Where the two differ. */
export interface Dialect {
  /** The column is one of the texts in the JSON array that stands for the value. */
  isOneOf(column: string, value: string): string;
  /** Ends a SELECT whose rows are changed next. */
  readonly forUpdate: string;
  /** Begins a transaction that claims: one after the other. */
  readonly lockClaims?: string;
  readonly json: JsonDialect;
  /**
   * There where what is searched stands in tables of its own, `job_searched_...` with the number `n` of the job, and not in
   * `jobs`: SQL for the number of the row that was written last.
   */
  readonly lastNumber?: string;
  /** A text column as JSON, and the texts of many rows with commas between: one large value is read quicker than many. */
  quoted(column: string): string;
  joined(text: string): string;
  /** The place in a text at which another begins, 0 when it does not. */
  place(text: string, part: string): string;
  /** The text has what a pattern finds that `isSharedPattern`; undefined where the database knows none. */
  finds?(text: string, pattern: string): string;
}

/** A text ends at a NUL for one driver, and is refused for it by the other: its picture stands there instead. */
export function bound(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
}
