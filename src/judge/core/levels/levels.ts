import type { Shift } from '../../../home/core/changes/change.ts';
import type { Verdict } from '../../../stats/verdict.ts';

/** A segment of a series that stays at one level. */
export interface Level {
  /** Index of its first point, and that after its last. */
  readonly start: number;
  readonly end: number;
  /** Robust centre of its points, of the last 512 where it has more. */
  readonly value: number;
  /** Robust standard deviation of one point. */
  readonly scale: number;
  /** Points that were used: NaN stands for a failure or a gap and is not one. */
  readonly count: number;
  /** Where it is certain that it does not stay, but goes on rising or falling. */
  readonly drift?: Drift;
}

/** A level that does not stay: it rises or falls all the time. */
export interface Drift {
  /** Index of the first point that was used, that of the level or of its last 512 points; and that after the last. */
  readonly start: number;
  readonly end: number;
  /** From one point to the next, gaps counted; as a fraction of the value of the level, unless it crosses zero. */
  readonly perPoint: Shift;
  /** Probability of such a slope if there was none. */
  readonly p: number;
}

/** A place in a series where a new level begins. */
export interface ChangePoint {
  /** Index of the first point at the new level. */
  readonly index: number;
  readonly before: Level;
  readonly after: Level;
  readonly shift: Shift;
  /** Probability of such a step if nothing had changed; small is certain. */
  readonly p: number;
}

/** One of the values between which a series jumps to and fro, while the program is the same. */
export interface Mode {
  readonly value: number;
  /** Fraction of the points that lie there. */
  readonly share: number;
}

/** What the detector finds in a series. */
export interface SeriesLevels {
  /** In their order; never empty unless there is no usable point. */
  readonly levels: readonly Level[];
  /** Between neighbouring levels, in their order. */
  readonly changes: readonly ChangePoint[];
  /** Where a point may be at one of several values and nothing has changed; empty where there is one. */
  readonly modes: readonly Mode[];
  /** Standard deviation of one point around its level, and correlation of neighbouring points. */
  readonly noise: { readonly scale: number; readonly correlation: number };
}

/** The newest value against the level that it should have. */
export interface NewestVerdict {
  /** As if values were times: slower is worse. `changed` where the better direction is unknown. */
  readonly verdict: Verdict | 'changed';
  /** Where that is undecided: probably beyond the smallest effect of interest, but not surely. */
  readonly likely?: 'faster' | 'slower' | 'changed';
  readonly shift?: Shift;
  readonly p?: number;
  /** Values that the level rests on. */
  readonly history: number;
  /** One point cannot tell a change from an outlier: true until more values, or a duet, confirm it. */
  readonly isProvisional: boolean;
  /** Why there is no better answer; one sentence each. */
  readonly notes: readonly string[];
}

/** What the detector is to find. */
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
