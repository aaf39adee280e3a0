import type { Absence, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { ChangeRecord } from '../../../home/core/changes/change-record.ts';
import type { Store } from '../../../home/core/store.ts';
import { type Score, scorecard } from '../../core/backtest/scorecard.ts';

/** Every change of a home: pages filter and sort by themselves, so that one document serves them all. */
export interface ChangeTable {
  readonly project: string;
  /** Newest first, withdrawn ones too. */
  readonly changes: readonly FollowedChange[];
  /** Older ones that are not among them. */
  readonly leftOut: number;
  readonly absences: readonly Absence[];
  /** What people said of changes that were told, by experiment. */
  readonly scores: readonly Score[];
}

/** More than a person triages in a life, and a few megabytes. */
const MOST = 20_000;
const ALL = 1_000_000;

export async function readChangeTable(store: Store | undefined): Promise<ChangeTable> {
  if (!store) return { project: '', changes: [], leftOut: 0, absences: [], scores: [] };
  const [run] = await store.latestRuns({ limit: 1 });
  const all = await store.changes({ limit: ALL });
  const told = all.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  return {
    project: run?.project ?? '',
    changes: all.slice(0, MOST),
    leftOut: Math.max(0, all.length - MOST),
    absences: await store.absences(),
    scores: scorecard(told, changeGroup),
  };
}

/** Where a change is counted: its experiment, its KPI, or all machines. */
export function changeGroup({ series }: Pick<ChangeRecord, 'series'>): string {
  if (series.kind === 'value') return series.experiment;
  return series.kind === 'kpi' ? series.name : 'machines';
}
