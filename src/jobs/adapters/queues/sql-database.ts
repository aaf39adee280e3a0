export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, string | number | null | Uint8Array>>;

/** Queries one database; `$1`, `$2` ... are parameters. All statements of the queue are valid in both dialects. */
export interface Session {
  readonly dialect: Dialect;
  rows<T extends Row = Row>(sql: string, values?: readonly Value[]): Promise<readonly T[]>;
}

export interface Database extends Session {
  /** A transaction. May be repeated from its start after a conflict. */
  atomically<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The differences between the databases. */
export interface Dialect {
  /** The column is one of the texts in a parameter with a JSON array. */
  isOneOf(column: string, value: string): string;
  /** Appended to a SELECT to lock its rows. */
  readonly forUpdate: string;
  /** Serializes transactions that claim. */
  readonly lockClaims?: string;
  readonly json: JsonDialect;
  /**
   * Set where the searchable columns are separate tables, `job_searched_...` with the row number `n` of the job, and not
   * columns of `jobs`: SQL for the number of the last inserted row.
   */
  readonly lastNumber?: string;
  /** A text column as JSON, and the texts of many rows joined by commas: one large value is read faster than many. */
  quoted(column: string): string;
  joined(text: string): string;
  /** Position of a text in another, from 1; 0 when it is not there. */
  place(text: string, part: string): string;
  /** The text matches a pattern that `isSharedPattern` accepts; undefined where the database has no regular expressions. */
  finds?(text: string, pattern: string): string;
}

/** One driver ends text at NUL, the other refuses it: its symbol is stored instead. */
export function bound(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
}

/** A value in a JSON column, at a path of keys. */
export interface JsonPlace {
  readonly column: string;
  readonly keys: readonly string[];
  /** The original text: objects are read from there where the column does not keep the order of keys. */
  readonly original?: { readonly text: string; readonly keys: readonly string[] };
}

/** An inclusive range; a missing bound is infinite. */
export interface NumberRange {
  readonly low?: number;
  readonly high?: number;
}

/** A condition over numbers, in operators that all dialects share. */
export interface Calculation {
  readonly places: readonly JsonPlace[];
  condition(value: (place: number) => string, size: (place: number) => string): string;
}

/**
 * How a database reads single values from JSON. A condition holds for all values that it describes. It may hold for others,
 * because those are checked again, but never for a missing key.
 */
export interface JsonDialect {
  /** A parameter converted to the stored JSON type. */
  stored(parameter: string): string;
  /** As JSON text; NULL when there is no such key. Without keys the whole column. */
  text(place: JsonPlace): string;
  /** A value that is known to be a number, or a text. */
  number(place: JsonPlace): string;
  plain(place: JsonPlace): string;
  has(place: JsonPlace): string;
  /** A number in one of the ranges, or any text, because it may contain one. */
  isNumberOrText(place: JsonPlace, ranges: readonly NumberRange[]): string;
  /** Anything but a number in the range. `hasTruth`: the range contains 0 or 1, which may represent a boolean. */
  isNoNumber(place: JsonPlace, range: NumberRange, hasTruth: boolean): string;
  isNumber(place: JsonPlace, range: NumberRange): string;
  isText(place: JsonPlace, text: string): string;
  /** Anything but this text, which is not the JSON of a list or an object. */
  isOther(place: JsonPlace, text: string): string;
  /** A text, or the JSON of a list or object, contains the text. */
  holds(place: JsonPlace, text: string): string;
  isTrue(place: JsonPlace): string;
  /** Also null, 0, and an empty text. */
  isFalse(place: JsonPlace): string;
  /** True or false itself. */
  isTruth(place: JsonPlace, truth: boolean): string;
  /** The condition holds, or is unknown because a value is text or too large. Undefined where it cannot be expressed. */
  calculated(calculation: Calculation): string | undefined;
}
