import { isOpen, isOpenMachineEvent, isOpenRegression } from '../../core/changes/is-open.ts';
import { metricText, seriesText } from '../../core/changes/series-key.ts';
import { crossingPattern } from '../../core/matrix/glob.ts';
import type { ChangeState } from '../../core/model/change.ts';
import type { Absence, FollowedChange } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';

/** A state, or those that wait for somebody, or those that the detector took back. */
export type ListedState = ChangeState | 'open' | 'withdrawn' | 'all';

export interface ChangeFilter {
  readonly experiment?: string;
  /** None: all but withdrawn ones. */
  readonly states: readonly ListedState[];
  /** Begun at this moment or later. */
  readonly since?: number;
  /** A pattern over the path below the experiment, or the name of the KPI. */
  readonly metric?: string;
  readonly isWorse: boolean;
  readonly limit: number;
}

export interface ChangeList {
  /** Newest first. */
  readonly changes: readonly FollowedChange[];
  /** What is not among them, by the filter that took it out. Nothing is hidden without a count. */
  readonly hidden: Readonly<Record<HiddenBy, number>>;
  /** Regressions of the whole home that wait for somebody. */
  readonly openRegressions: number;
  /** Machines that changed, each one event however many series it moved. */
  readonly openMachineEvents: number;
  /** Those that wait and of which nobody knows whether they are good. */
  readonly openUnknown: number;
  readonly absences: readonly Absence[];
}

export type HiddenBy = 'withdrawn' | 'state' | 'experiment' | 'metric' | 'since' | 'worse' | 'limit';

const MANY = 1_000_000;

export async function listChanges(filter: ChangeFilter, store: Store): Promise<ChangeList> {
  const all = await store.changes({ limit: MANY });
  const hidden = { withdrawn: 0, state: 0, experiment: 0, metric: 0, since: 0, worse: 0, limit: 0 };
  const why = reasonToHide(filter);
  const changes: FollowedChange[] = [];
  for (const change of all) {
    const reason = why(change) ?? (changes.length >= filter.limit ? 'limit' : undefined);
    if (reason === undefined) changes.push(change);
    else hidden[reason]++;
  }
  const open = all.filter(isOpen);
  const openRegressions = open.filter(isOpenRegression).length;
  const openMachineEvents = open.filter(isOpenMachineEvent).length;
  const openUnknown = open.filter(
    ({ direction, series }) => direction === 'unknown' && series.kind !== 'machine',
  ).length;
  return {
    changes,
    hidden,
    openRegressions,
    openMachineEvents,
    openUnknown,
    absences: await store.absences(),
  };
}

function reasonToHide(filter: ChangeFilter): (change: FollowedChange) => HiddenBy | undefined {
  const { experiment, states, since = -Infinity, metric, isWorse } = filter;
  const pattern = metric === undefined ? undefined : crossingPattern(metric);
  return (change) => {
    const { series, direction, at, withdrawnAt } = change;
    if (experiment !== undefined && (series.kind !== 'value' || series.experiment !== experiment))
      return 'experiment';
    if (pattern && !pattern.test(metricText(series)) && !pattern.test(seriesText(series))) return 'metric';
    if (at < since) return 'since';
    if (isWorse && direction !== 'worse') return 'worse';
    if (states.length === 0) return withdrawnAt === undefined ? undefined : 'withdrawn';
    return states.some((state) => fits(change, state)) ? undefined : 'state';
  };
}

function fits({ state, withdrawnAt }: FollowedChange, wanted: ListedState): boolean {
  if (wanted === 'all') return true;
  if (wanted === 'withdrawn' || withdrawnAt !== undefined)
    return wanted === 'withdrawn' && withdrawnAt !== undefined;
  return wanted === 'open' ? state === 'new' || state === 'confirmed' : state === wanted;
}
