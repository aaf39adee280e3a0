/** A stored series, and what people said of its changes. */
export interface BacktestHistory {
  readonly name: string;
  readonly values: Float64Array;
  /** Milliseconds since 1970, as many as values, rising. */
  readonly times: Float64Array;
  readonly lowerBetter: boolean | undefined;
  readonly triaged: readonly TriagedChange[];
}

export interface TriagedChange {
  /** Index of the first value at the new level. */
  readonly index: number;
  readonly triage: 'true' | 'expected' | 'false';
}

export interface BacktestOptions {
  /** Values before a method is asked. */
  readonly minHistory: number;
  /** Values after a change in which an alert belongs to it. */
  readonly patience: number;
  /** Values before this moment are only looked back at. */
  readonly since: number;
}

export const BACKTEST_DEFAULTS: BacktestOptions = {
  minHistory: 3,
  patience: 5,
  since: Number.NEGATIVE_INFINITY,
};

export interface BacktestAlert {
  readonly series: string;
  readonly index: number;
  readonly at: number;
  readonly description: string;
  /** What people said of the change that it belongs to; absent where they said nothing. */
  readonly triage?: TriagedChange['triage'];
  /** From the change to the alert. */
  readonly delay?: { readonly values: number; readonly days: number };
}
