import { type ChangeState, metricText, seriesText } from '../../../home/core/changes/change.ts';
import {
  type Absence,
  type FollowedChange,
  isOpen,
  isOpenMachineEvent,
  isOpenRegression,
  isOpenUnknown,
} from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { crossingPattern } from '../../../platform/core/patterns/glob.ts';
import { machineLookup } from '../series/machine-lookup.ts';
import { heldBackCount } from '../series/stored-judgements.ts';

/** A state, or those that wait for somebody, or those that the detector took back. */
export type ListedState = ChangeState | 'open' | 'withdrawn' | 'all';

export interface ChangeFilter {
  readonly experiment?: string;
  /** None: all but withdrawn ones. */
  readonly states: readonly ListedState[];
  /** Begun at this time or later. */
  readonly since?: number;
  /** A pattern over the path below the experiment, or the name of the KPI. */
  readonly metric?: string;
  /** None: all. */
  readonly directions: readonly FollowedChange['direction'][];
  /** Name of the machine on which the first value at the new level was measured. */
  readonly machine?: string;
  readonly limit: number;
  /** How many of those that fit are left out first: pages before this one. */
  readonly skip?: number;
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
  /** Open ones of unknown direction. */
  readonly openUnknown: number;
  /** Newest values that look like a change, as some do by chance among so many series. */
  readonly heldBack: number;
  readonly absences: readonly Absence[];
}

export type HiddenBy =
  | 'withdrawn'
  | 'state'
  | 'experiment'
  | 'metric'
  | 'machine'
  | 'since'
  | 'direction'
  | 'limit';

const NOTHING_HIDDEN: Readonly<Record<HiddenBy, number>> = {
  withdrawn: 0,
  state: 0,
  experiment: 0,
  metric: 0,
  machine: 0,
  since: 0,
  direction: 0,
  limit: 0,
};

const MANY = 1_000_000;

export async function listChanges(filter: ChangeFilter, store: Store): Promise<ChangeList> {
  const all = await store.changes({ limit: MANY });
  const hidden = { ...NOTHING_HIDDEN };
  const { limit, skip = 0 } = filter;
  const isElsewhere = elsewhere(filter.machine, store);
  const why = reasonToHide(filter);
  const changes: FollowedChange[] = [];
  let passed = 0;
  for (const change of all) {
    const reason =
      why(change) ??
      ((await isElsewhere(change)) ? 'machine' : undefined) ??
      (passed++ < skip || changes.length >= limit ? 'limit' : undefined);
    if (reason === undefined) changes.push(change);
    else hidden[reason]++;
  }
  const open = all.filter(isOpen);
  const openRegressions = open.filter(isOpenRegression).length;
  const openMachineEvents = open.filter(isOpenMachineEvent).length;
  const openUnknown = open.filter(isOpenUnknown).length;
  return {
    changes,
    hidden,
    openRegressions,
    openMachineEvents,
    openUnknown,
    heldBack: await heldBackCount(store),
    absences: await store.absences(),
  };
}

function reasonToHide(filter: ChangeFilter): (change: FollowedChange) => HiddenBy | undefined {
  const { experiment, states, since = -Infinity, metric, directions } = filter;
  const pattern = metric === undefined ? undefined : crossingPattern(metric);
  return (change) => {
    const { series, direction, at, withdrawnAt } = change;
    if (experiment !== undefined && (series.kind !== 'value' || series.experiment !== experiment))
      return 'experiment';
    if (pattern && !pattern.test(metricText(series)) && !pattern.test(seriesText(series))) return 'metric';
    if (at < since) return 'since';
    if (directions.length > 0 && !directions.includes(direction)) return 'direction';
    if (states.length === 0) return withdrawnAt === undefined ? undefined : 'withdrawn';
    return states.some((state) => fits(change, state)) ? undefined : 'state';
  };
}

/** Where a value was measured is looked up only for a filter by machine. */
function elsewhere(machine: string | undefined, store: Store): (change: FollowedChange) => Promise<boolean> {
  const machines = machineLookup(store);
  return async ({ series, runId, at }) => {
    if (machine === undefined) return false;
    if (series.kind === 'machine') return series.machine !== machine;
    const own = series.kind === 'kpi' ? await machines.ofTest(runId, at) : await machines.ofRun(runId);
    return own !== machine;
  };
}

function fits({ state, withdrawnAt }: FollowedChange, wanted: ListedState): boolean {
  if (wanted === 'all') return true;
  if (wanted === 'withdrawn' || withdrawnAt !== undefined)
    return wanted === 'withdrawn' && withdrawnAt !== undefined;
  return wanted === 'open' ? state === 'new' || state === 'confirmed' : state === wanted;
}

/** What a page shows of the changes of a home. */
export interface ChangeView extends ChangeList {
  readonly project: string;
  /** Open ones only. */
  readonly isOpenOnly: boolean;
  /** From 1, of so many pages. */
  readonly page: number;
  readonly pages: number;
}

/** As many rows as a browser draws at once without being felt. */
const SHOWN = 200;

/** A page of changes; one behind the last shows the last. */
export async function readChanges(
  store: Store | undefined,
  { isOpenOnly, page = 1 }: { readonly isOpenOnly: boolean; readonly page?: number | undefined },
): Promise<ChangeView> {
  if (!store) return { ...NOTHING, project: '', isOpenOnly, page: 1, pages: 1 };
  const [run] = await store.latestRuns({ limit: 1 });
  const states = isOpenOnly ? (['open'] as const) : [];
  const at = (number: number) =>
    listChanges({ states, directions: [], limit: SHOWN, skip: (number - 1) * SHOWN }, store);
  const first = await at(Math.max(1, page));
  const pages = Math.max(1, Math.ceil((first.changes.length + first.hidden.limit) / SHOWN));
  const number = Math.min(Math.max(1, page), pages);
  const list = number === Math.max(1, page) ? first : await at(number);
  return { ...list, project: run?.project ?? '', isOpenOnly, page: number, pages };
}

/** Changes to review: open, and not for the better. */
export async function changesToReview(store: Store, limit: number): Promise<readonly FollowedChange[]> {
  const open = await store.changes({ isOpen: true, limit });
  return open.filter(({ direction }) => direction !== 'better');
}

const NOTHING: ChangeList = {
  changes: [],
  hidden: NOTHING_HIDDEN,
  openRegressions: 0,
  openMachineEvents: 0,
  openUnknown: 0,
  heldBack: 0,
  absences: [],
};
