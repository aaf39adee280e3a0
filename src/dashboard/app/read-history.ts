import type { Series } from '../../formats/core/sample.ts';
import { seriesKey } from '../../home/core/changes/change.ts';
import { type FollowedChange, isOpen } from '../../home/core/changes/change-ledger.ts';
import type { Outcome, OutcomeQuery, Store } from '../../home/core/store.ts';
import { originalNames } from '../../judge/app/series/original-names.ts';
import {
  isDetail,
  type JudgedHistory,
  readJudgedHistory,
  type SeriesView,
} from '../../judge/app/series/series-values.ts';
import { type HistoryNote, historyNotes } from '../../judge/core/changes/history-notes.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { inNaturalOrder } from '../../platform/core/text/text-order.ts';
import { CHARTS_PER_PAGE } from '../core/history-pages.ts';
import { type RunColumns, runColumns } from './run-columns.ts';

/** A page of the values of one experiment, each with its history. Columns: a place in one is a run. */
export interface ExperimentHistory {
  readonly runs: RunColumns;
  readonly series: readonly HistoryView[];
  readonly notes: readonly HistoryNote[];
  /** Where the last so many runs begin, for those who want to see the newest. */
  readonly stretches: readonly { readonly runs: number; readonly from: number; readonly to: number }[];
  /** Failures and notes are those of the newest so many runs of the range; absent: of all. */
  readonly lookedThrough?: number;
  /** Index of the first series of the page, among those that match. */
  readonly first: number;
  readonly perPage: number;
  readonly matching: number;
  /** Values proper; and spreads and counts, which are shown on request. */
  readonly count: number;
  readonly details: number;
  /** True when there are more series than were read. */
  readonly hasMore: boolean;
}

export interface HistoryView
  extends Pick<SeriesView, 'path' | 'unit' | 'better' | 'betterFrom'>,
    JudgedHistory {
  /** How the newest results call it, where that holds a path or a commit of their run. */
  readonly original?: string;
  /** Place of each value in the columns of runs. */
  readonly places: readonly number[];
  /** JSON has no NaN: null is one. */
  readonly values: readonly (number | null)[];
  /** The newest value there is, whatever range is shown; absent: none is a number. */
  readonly newestValue?: number;
  /** How many values there are in the range; more than are in the column: only extremes are. */
  readonly count: number;
  /** Those that were not reviewed as false and are still found, oldest first. */
  readonly changes: readonly FollowedChange[];
}

export interface HistoryRequest {
  readonly name: string;
  readonly first?: number | undefined;
  /** Words that the path must have, in any case. */
  readonly search?: string | undefined;
  readonly withDetails?: boolean;
  /** By path; otherwise those with open changes first. */
  readonly isByName?: boolean;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const SERIES_READ = 20_000;
/** Runs that are searched for failures, commits and machines; a narrower range has its own. */
const OUTCOMES_READ = 10_000;
const CHANGES_READ = 10_000;
/** Values of one chart; the exact ones come with a narrower range. */
const SHOWN = 2_000;
type Ending = Pick<Outcome, 'runId' | 'at' | 'state' | 'machineId' | 'commits'>;
const FAILURES_SHOWN = 500;
const STRETCHES = [30, 100, 365] as const;

/** Undefined when there is no experiment of that name. `endings`: how its trials ended. */
export async function readHistory(
  request: HistoryRequest,
  store: Store,
  endings: (query: OutcomeQuery) => Promise<readonly Ending[]> = store.outcomes,
): Promise<ExperimentHistory | undefined> {
  const { name, first = 0 } = request;
  if (whyInvalidName(name) !== undefined) return undefined;
  const range = {
    ...(request.from !== undefined && { from: request.from }),
    ...(request.to !== undefined && { to: request.to }),
  };
  const outcomes = await endings({ experiment: name, limit: OUTCOMES_READ, ...range });
  const stored = await store.series({ experiment: name, limit: SERIES_READ });
  const all = inNaturalOrder(stored, ({ path }) => path.join('\0'));
  if (outcomes.length === 0 && all.length === 0) return undefined;
  const changes = groupChanges(await store.changes({ experiment: name, limit: CHANGES_READ }));
  const matching = inOrder(chosen(all, request), changes, request.isByName ?? false);
  const page = matching.slice(first, first + CHARTS_PER_PAGE);
  const histories = [];
  for (const series of page) histories.push(await readOne(series, { store, range, changes }));
  const failed = outcomes.filter(({ state }) => state === 'failed').slice(-FAILURES_SHOWN);
  const columns = await runColumns({ histories, outcomes, failed }, store);
  const details = all.filter(isDetail).length;
  const originals = await originalNames(store, histories[0]?.runIds.at(-1), name);
  return {
    runs: columns.runs,
    series: histories.map(({ runIds, times: _, ...history }) => {
      const original = originals.get(JSON.stringify(history.path));
      const places = runIds.map((id) => columns.placeOf(id));
      return { ...history, ...(original !== undefined && { original }), places };
    }),
    notes: historyNotes(outcomes, columns.machineName),
    stretches: rangesOf(outcomes),
    ...(outcomes.length === OUTCOMES_READ && { lookedThrough: OUTCOMES_READ }),
    first,
    perPage: CHARTS_PER_PAGE,
    matching: matching.length,
    count: all.length - details,
    details,
    hasMore: all.length === SERIES_READ,
  };
}

function rangesOf(outcomes: readonly Ending[]): ExperimentHistory['stretches'] {
  const to = outcomes.at(-1)?.at ?? 0;
  return STRETCHES.filter((runs) => runs < outcomes.length).map((runs) => ({
    runs,
    from: outcomes.at(-runs)?.at ?? 0,
    to,
  }));
}

/** The requested series, details only when they were. */
export function chosen(
  all: readonly Series[],
  { search = '', withDetails = false }: Pick<HistoryRequest, 'search' | 'withDetails'>,
): readonly Series[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((series) => {
    if (!withDetails && isDetail(series)) return false;
    const text = series.path.join(' / ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

type ChangesBySeries = ReadonlyMap<string, readonly FollowedChange[]>;

function groupChanges(changes: readonly FollowedChange[]): ChangesBySeries {
  const groups = new Map<string, FollowedChange[]>();
  for (const change of changes) {
    const key = seriesKey(change.series);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return groups;
}

const RANKS = { worse: 0, unknown: 1, better: 2 } as const;

function inOrder(series: readonly Series[], changes: ChangesBySeries, isByName: boolean): readonly Series[] {
  if (isByName) return series;
  const rank = (one: Series) => {
    const open = changesOf(one, changes).filter(isOpen);
    return Math.min(3, ...open.map(({ direction }) => RANKS[direction]));
  };
  const ranked = series.map((one) => [rank(one), one] as const);
  return ranked.sort(([a], [b]) => a - b).map(([, one]) => one);
}

function changesOf({ experiment, path }: Series, changes: ChangesBySeries): readonly FollowedChange[] {
  return changes.get(seriesKey({ kind: 'value', experiment, path })) ?? [];
}

interface ReadOne {
  readonly store: Store;
  readonly range: { readonly from?: number; readonly to?: number };
  readonly changes: ChangesBySeries;
}

async function readOne(series: Series, { store, range, changes }: ReadOne) {
  const { times, values, runIds, count } = await store.thinned(series.id, { ...range, limit: SHOWN });
  const isWhole = Object.keys(range).length === 0;
  const newest = isWhole ? values : (await store.history(series.id, { limit: LAST })).values;
  const newestValue = newest.findLast(Number.isFinite);
  return {
    path: series.path,
    unit: series.unit,
    better: series.better,
    ...(series.betterFrom !== undefined && { betterFrom: series.betterFrom }),
    times: Array.from(times),
    values: Array.from(values),
    runIds,
    count,
    ...(newestValue !== undefined && { newestValue }),
    ...(await readJudgedHistory(store, series)),
    changes: changesOf(series, changes)
      .filter(({ state, withdrawnAt }) => withdrawnAt === undefined && state !== 'false')
      .toReversed(),
  };
}

/** Nights in a row that may have failed. */
const LAST = 100;
