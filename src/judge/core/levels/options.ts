/** What is to be found in a series, beyond its values. */
export interface ChangeOptions {
  /** The smallest shift of interest, as a fraction of the level before. */
  readonly minEffect: number;
  /** The same in the unit of the values; the larger of both counts. */
  readonly minDifference: number;
  /** Fewest points of a level. */
  readonly minSegment: number;
  /** How unlikely a change must be by chance, all places where it could have been found taken together. */
  readonly maxP: number;
}

/** A default that needs no tuning: see docs/statistics.md. */
export const CHANGE_DEFAULTS: ChangeOptions = { minEffect: 0, minDifference: 0, minSegment: 3, maxP: 0.05 };

/** A series in its order. Not a number: a failure or a gap. */
export interface SeriesInput {
  readonly values: Float64Array;
  /** How much each value counts, such as its number of samples; all the same where absent. None: a gap. */
  readonly weights?: Float64Array;
}
