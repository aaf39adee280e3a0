import type { ChangeRecord } from '../../../home/core/changes/change.ts';
import type { Absence, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { type Score, scorecard } from '../../core/backtest/scorecard.ts';
import { AROUND_PER_PAGE } from '../../core/changes/change-pages.ts';
import { SeriesFinder } from '../series/series-finder.ts';

/** Every change of a home: pages filter and sort by themselves, so that one document serves them all. */
export interface ChangeTable {
  readonly project: string;
  /** Newest first, withdrawn ones too. */
  readonly changes: readonly FollowedChange[];
  /** Older ones that are not among them. */
  readonly leftOut: number;
  readonly absences: readonly Absence[];
  /** Triage of the reported changes, by experiment. */
  readonly scores: readonly Score[];
}

/** More than a person triages in a life, and a few megabytes. */
const MOST = 20_000;
const ALL = 1_000_000;

export async function readChangeTable(store: Store | undefined): Promise<ChangeTable> {
  if (!store) return { project: '', changes: [], leftOut: 0, absences: [], scores: [] };
  const [run] = await store.latestRuns({ limit: 1 });
  const all = await store.changes({ limit: ALL });
  const standing = all.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  return {
    project: run?.project ?? '',
    changes: all.slice(0, MOST),
    leftOut: Math.max(0, all.length - MOST),
    absences: await store.absences(),
    scores: scorecard(standing, changeGroup),
  };
}

/** Where a change is counted: its experiment, its KPI, or all machines. */
export function changeGroup({ series }: Pick<ChangeRecord, 'series'>): string {
  if (series.kind === 'value') return series.experiment;
  return series.kind === 'kpi' ? series.name : 'machines';
}

/** What lies around a change: a few values, and the commits of the run at which it begins. */
export interface ChangeAround {
  readonly id: string;
  /** Oldest first; null is a gap. Empty where the series has no values. */
  readonly values: readonly (number | null)[];
  /** Where among them the new level begins; -1: not there any more. */
  readonly place: number;
  /** By the name of the source. */
  readonly commits: Readonly<Record<string, string>>;
}

export interface ChangesAround {
  readonly around: readonly ChangeAround[];
}

/** Values on each side. */
const NEAR = 15;
const HISTORY = 2_000;
const MANY = 1_000_000;

/** One page of surroundings, in the order of the table of changes. */
export async function readChangesAround(page: number, store: Store | undefined): Promise<ChangesAround> {
  if (!store) return { around: [] };
  const all = await store.changes({ limit: MANY });
  const changes = all.slice(page * AROUND_PER_PAGE, (page + 1) * AROUND_PER_PAGE);
  const finder = new SeriesFinder(store);
  const trials = await store.trialsOf([...new Set(changes.map(({ runId }) => runId))]);
  const commits = new Map(trials.map((trial) => [JSON.stringify([trial.runId, trial.task]), trial.commits]));
  const around: ChangeAround[] = [];
  for (const change of changes) {
    const { id, series, runId } = change;
    const task = series.kind === 'value' ? series.experiment : '';
    around.push({
      ...{ id, ...(await valuesAround(change, finder)) },
      commits: commits.get(JSON.stringify([runId, task])) ?? {},
    });
  }
  return { around };
}

async function valuesAround(
  { series, runId }: FollowedChange,
  finder: SeriesFinder,
): Promise<Pick<ChangeAround, 'values' | 'place'>> {
  const history = await finder.history(series, { limit: HISTORY });
  if (!history) return { values: [], place: -1 };
  const found = history.runIds.lastIndexOf(runId);
  const from = Math.max(0, (found < 0 ? history.values.length : found) - NEAR);
  const values = Array.from(history.values.subarray(from, from + 2 * NEAR), fourDigits);
  return { values, place: found < 0 ? -1 : found - from };
}

function fourDigits(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
}
