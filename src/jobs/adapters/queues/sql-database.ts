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

/** A value in a column of JSON, at the end of the keys. */
export interface JsonPlace {
  readonly column: string;
  readonly keys: readonly string[];
  /** The same as a text: where the column does not keep the order of keys, objects are read from there. */
  readonly original?: { readonly text: string; readonly keys: readonly string[] };
}

/** Numbers of a range; without a bound it goes on for ever. */
export interface NumberRange {
  readonly low?: number;
  readonly high?: number;
}

/** A condition over numbers: it is written with how each of them is called, and in the operators that all languages share. */
export interface Calculation {
  readonly places: readonly JsonPlace[];
  condition(value: (place: number) => string, size: (place: number) => string): string;
}

/**
 * How a database reads single values out of JSON. A condition holds for all values of which it speaks; it may hold for others,
 * as those are looked at again, but a key that is not there fulfils none.
 */
export interface JsonDialect {
  /** JSON that stands for the value of a parameter, as it is stored. */
  stored(parameter: string): string;
  /** As JSON; NULL when there is no such key. Without keys the whole column. */
  text(place: JsonPlace): string;
  /** A value that is known to be a number, or a text. */
  number(place: JsonPlace): string;
  plain(place: JsonPlace): string;
  has(place: JsonPlace): string;
  /** A number of one of the ranges, or any text: that may hold one. */
  isNumberOrText(place: JsonPlace, ranges: readonly NumberRange[]): string;
  /** Anything but a number of the range. `hasTruth`: the range has 0 or 1, as which a truth may be read. */
  isNoNumber(place: JsonPlace, range: NumberRange, hasTruth: boolean): string;
  isNumber(place: JsonPlace, range: NumberRange): string;
  isText(place: JsonPlace, text: string): string;
  /** Anything but this text, which is not that of a list or an object. */
  isOther(place: JsonPlace, text: string): string;
  /** Of a text, or the JSON of a list or object. */
  holds(place: JsonPlace, text: string): string;
  isTrue(place: JsonPlace): string;
  /** Also null, 0, and an empty text. */
  isFalse(place: JsonPlace): string;
  /** True or false itself. */
  isTruth(place: JsonPlace, truth: boolean): string;
  /** Its condition holds, or cannot be told: a value is a text, or too large. Undefined where it cannot be said. */
  calculated(calculation: Calculation): string | undefined;
}
