export interface PointEngineOptions {
  /** Values in memory that make it settle. */
  readonly settleValues?: number;
  /** Age of the oldest value in memory that makes it settle with the next write. */
  readonly settleAfterMs?: number;
}

/** When points in memory become blocks. */
export interface SettleRule {
  /** So many values, with so many columns. */
  values(columns: number): number;
  /** So old is the oldest. */
  readonly afterMs: number;
}

const VALUES = 1_000_000;
/** With many columns a settling waits for more of each, or it would write thousands of tiny blocks. */
const VALUES_OF_A_COLUMN = 200;
const MOST_VALUES = 2_000_000;
const AFTER_MS = 10 * 60_000;

export function settleRule({ settleValues, settleAfterMs = AFTER_MS }: PointEngineOptions): SettleRule {
  return {
    values: (columns) =>
      settleValues ?? Math.max(VALUES, Math.min(MOST_VALUES, VALUES_OF_A_COLUMN * columns)),
    afterMs: settleAfterMs,
  };
}
