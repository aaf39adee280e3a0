/** A range that holds the true value with probability `level`. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
}
