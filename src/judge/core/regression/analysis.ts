import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import type { Shift } from '../../../home/core/changes/change.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Level, NewestVerdict } from '../levels/levels.ts';
import type { HistoryOrder } from './choose-history.ts';
import type { MethodResult } from './regression-method.ts';

/**
 * What came of one KPI of one entry. `same` is inside of the smallest effect of interest, `inline` accepted by a named method,
 * `changed` a change whose direction says nothing. The last three could not be judged, and do not pass.
 */
export type KpiState =
  | 'regression'
  | 'improvement'
  | 'changed'
  | 'same'
  | 'inline'
  | 'undecided'
  | 'too-few'
  | 'no-history'
  | 'no-value';

export type ChangeState = 'regression' | 'improvement' | 'changed';

export interface KpiAnalysis {
  readonly definition: KpiDefinition;
  readonly state: KpiState;
  /** Undecided, but there is a change, and its estimate lies beyond the smallest effect of interest. */
  readonly likely?: ChangeState;
  /** Undecided, but looks like this by itself: among so many KPIs some do by chance. */
  readonly heldBack?: ChangeState;
  /** Of the tests of this entry; empty where none has a value. */
  readonly values: readonly number[];
  /** The same as they are judged: one number for a version, or for a night. */
  readonly newest: readonly number[];
  readonly history: readonly HistoryPoint[];
  /** The level that the newest values are compared with; of our own method. */
  readonly level?: Level;
  readonly verdict?: NewestVerdict;
  readonly shift?: Shift;
  readonly p?: number;
  /** After correction for the number of KPIs and entries. */
  readonly adjustedP?: number;
  /** Result of a named method. */
  readonly method?: MethodResult;
  /** Labels that are others than in the history, in a sentence. */
  readonly explanation?: string;
  readonly notes: readonly string[];
}

/** What is one value of the statistics: all tests of a version, or of a night where there are too few versions. */
export interface HistoryPoint {
  /** Version, or what else is compared. */
  readonly name: string;
  /** Of its first test. */
  readonly at: number;
  readonly value: number;
  readonly testIds: readonly [string, ...string[]];
}

export interface EntryAnalysis {
  readonly number: number;
  /** "k=v, k=v" of the labels that vary; empty for a single entry. */
  readonly name: string;
  readonly reference: string;
  readonly labels: JsonObject;
  readonly settings: JsonObject;
  readonly tests: readonly { readonly id: string; readonly location: string }[];
  readonly historyTests: number;
  readonly order: HistoryOrder;
  readonly kpis: readonly KpiAnalysis[];
  readonly notes: readonly string[];
}

export interface RegressionAnalysis {
  /** nightmark, hunter, stdev or zscore. */
  readonly method: string;
  readonly isCompat: boolean;
  readonly minEffect: number;
  readonly entries: readonly EntryAnalysis[];
  /** Labels that vary between the entries, sorting keys first. */
  readonly variables: readonly string[];
  readonly kpis: readonly KpiDefinition[];
  /** What was left out, and why. */
  readonly left: LeftOut;
  readonly history: { readonly tests: number; readonly labels: Readonly<Record<string, readonly string[]>> };
  readonly warnings: readonly string[];
}

export interface LeftOut {
  /** Entries of the workload's ignored-entries, as "label=value". */
  readonly entries: readonly string[];
  /** KPIs that are never judged. */
  readonly ignoredKpis: readonly string[];
  /** KPIs whose values are lists. */
  readonly listKpis: readonly string[];
  /** KPIs that --kpi does not name. */
  readonly filteredKpis: readonly string[];
}
