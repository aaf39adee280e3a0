import type { SeriesKey } from '../../../formats/core/sample.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';

export type Better = 'lower' | 'higher' | 'unknown';

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
