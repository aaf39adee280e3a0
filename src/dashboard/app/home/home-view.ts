import type { Series } from '../../../formats/core/sample.ts';
import type { Absence, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Run, Trial } from '../../../home/core/run.ts';
import type { StandingVerdict } from '../../../judge/core/changes/reference-level.ts';
import type { Drift } from '../../../judge/core/levels/levels.ts';
import type { TrialCounts } from '../../../platform/core/text/describe-night.ts';

/** What the first page shows of a home; its values come in pages of their own. */
export interface HomeView {
  readonly project: string;
  readonly home: string;
  /** Whether there is a definition that could be run: decides what an empty page advises. */
  readonly isDefined: boolean;
  /** A night that has begun and not ended, with its last sign of life. */
  readonly running?: NightLine & { readonly lastSignAt?: number };
  /** The newest night that has ended, whatever its state. */
  readonly last?: NightLine;
  /** Nights, newest first; imports where there is no night. */
  readonly nights: readonly NightLine[];
  readonly runCount: number;
  /** By name. */
  readonly experiments: readonly HomeExperiment[];
  /** Experiments beyond the limit, counted. */
  readonly leftOut: number;
  /** The values that are shown, in the order of their experiments; `values/N` has them in pages of VALUES_PER_PAGE. */
  readonly rows: readonly HomeRow[];
  readonly subsystems: readonly HomeTask[];
  /** Open changes that are not improvements, newest first, and how many there are. */
  readonly changes: readonly FollowedChange[];
  readonly changeCount: number;
  /** Series without new values, and how many. */
  readonly absences: readonly Absence[];
  readonly absenceCount: number;
  readonly plans: HomePlans;
}

/** A run as the strip shows it. */
export interface NightLine
  extends Pick<Run, 'id' | 'kind' | 'label' | 'state' | 'origin' | 'startedAt' | 'endedAt'> {
  readonly experiments: TrialCounts;
  readonly subsystems: TrialCounts;
  /** Experiments of the other nights shown that were not part of it. */
  readonly missing: number;
}

export interface HomeTask extends Pick<Trial, 'runId' | 'kind' | 'durationMs' | 'failedStage'> {
  readonly name: string;
  readonly title?: string;
  /** Of the night that is shown; `missing`: it was not part of it. */
  readonly state: Trial['state'] | 'missing';
  /** Of a failure; cut. */
  readonly message?: string;
}

export interface HomeExperiment extends HomeTask {
  /** Its newest values were imported: nights do not measure it. */
  readonly isImported: boolean;
  /** Places in the sparkline at which it failed; 0 is the oldest. */
  readonly failedAt: readonly number[];
  /** Values that are not among the rows. */
  readonly moreValues: number;
}

export interface HomeRow extends Pick<Series, 'id' | 'path' | 'unit' | 'better' | 'betterFrom'> {
  /** Place of its experiment in the list. */
  readonly experiment: number;
}

/** One page of values: for each row, in the order of the rows. */
export interface HomeValues {
  readonly values: readonly HomeValue[];
}

export interface HomeValue {
  readonly id: number;
  /** One place for every night shown, oldest first; null is a gap. Four digits. */
  readonly spark: readonly (number | null)[];
  /** The newest value, and its time. */
  readonly value?: number;
  readonly at?: number;
  readonly newest?: StandingVerdict;
  readonly drift?: Drift;
}

/** The next night and deadlines. */
export interface HomePlans {
  readonly nextNight?: { readonly at: number; readonly timezone?: string };
  readonly deadlines: readonly { readonly name: string; readonly at: number }[];
}
