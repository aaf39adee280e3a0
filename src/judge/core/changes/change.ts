import type { SeriesKey } from '../../../formats/core/sample.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Verdict } from '../../../stats/verdict.ts';

/** A stretch of a series that stays at one level. */
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

/** A level that is none: it rises or falls all the time. */
export interface Drift {
  /** Index of the first point that was looked at, that of the level or of its last 512 points; and that after the last. */
  readonly start: number;
  readonly end: number;
  /** From one point to the next, gaps counted; as a fraction of the value of the level, unless it crosses zero. */
  readonly perPoint: Shift;
  /** How surprising it were if there was no slope. */
  readonly p: number;
}

/** From one level to the next: how far, with an interval. */
export interface Shift {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** The same as a fraction of the level before: 0.05 is 5 % more. Absent where that level is zero. */
  readonly relative?: { readonly change: number; readonly low: number; readonly high: number };
  /** Probability that the interval holds the true shift: 0.95. */
  readonly level: number;
}

/** A place in a series where a new level begins. */
export interface ChangePoint {
  /** Index of the first point at the new level. */
  readonly index: number;
  readonly before: Level;
  readonly after: Level;
  readonly shift: Shift;
  /** How surprising it were if nothing had changed; small is certain. */
  readonly p: number;
}

/** Values between which a series jumps to and fro: two ways in which the same program runs. */
export interface Mode {
  readonly value: number;
  /** Part of the points that lie there, of 1. */
  readonly share: number;
}

/** What is known of a whole series. */
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

export type Better = 'lower' | 'higher' | 'unknown';

/** The newest value against the level that it should have. */
export interface NewestVerdict {
  /** As if values were times: slower is worse. `changed` where it is not known which direction is good. */
  readonly verdict: Verdict | 'changed';
  readonly shift?: Shift;
  readonly p?: number;
  /** Values that the level rests on. */
  readonly history: number;
  /** One point cannot tell a change from an outlier: true until more values, or a duet, confirm it. */
  readonly isProvisional: boolean;
  /** Why there is no better answer; one sentence each. */
  readonly notes: readonly string[];
}

/**
 * A series that can be judged: a number in data files, or a KPI with its labels; or what a machine does to all series of
 * a measure, as a factor of their values.
 */
export type JudgedSeries =
  | ({ readonly kind: 'value' } & SeriesKey)
  | { readonly kind: 'kpi'; readonly name: string; readonly labels: JsonObject }
  | { readonly kind: 'machine'; readonly machine: string; readonly measure: string };

/** What may stop coming: a series while others go on, or an experiment or a workload with all of its series. */
export type Absentee =
  | JudgedSeries
  | { readonly kind: 'experiment'; readonly experiment: string }
  | { readonly kind: 'workload'; readonly workload: string };

/** A series that has values of its own. */
export type MeasuredSeries = Exclude<JudgedSeries, { readonly kind: 'machine' }>;

export type ChangeState = 'new' | 'confirmed' | 'expected' | 'fixed' | 'false';

/** A change as people follow it: it keeps its id while history grows. */
export interface ChangeRecord {
  /** Short, can be typed, follows from the series and the place where it was first found. */
  readonly id: string;
  readonly series: JudgedSeries;
  readonly unit: string;
  readonly better: Better;
  /** Start of the first run at the new level: milliseconds since 1970. */
  readonly at: number;
  /** Its run, or its test for a KPI. */
  readonly runId: string;
  readonly before: number;
  readonly after: number;
  readonly shift: Shift;
  readonly p: number;
  /** Whether it is good, as `better` says. */
  readonly direction: 'better' | 'worse' | 'unknown';
  /** Seen in too few points yet. */
  readonly isProvisional: boolean;
  /** Rests on this rule: 'nightmark-1', 'hunter', ... */
  readonly detector: string;
  /** Of a machine: measurements that moved together. */
  readonly moved?: number;
  readonly foundAt: number;
  readonly state: ChangeState;
  readonly note?: string;
  readonly author?: string;
  readonly triagedAt?: number;
}
