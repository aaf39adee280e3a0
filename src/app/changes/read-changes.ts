import type { FollowedChange } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';
import { type ChangeList, listChanges } from './list-changes.ts';

/** What a page shows of the changes of a home. */
export interface ChangeView extends ChangeList {
  readonly project: string;
  /** Open ones only. */
  readonly isOpenOnly: boolean;
}

const SHOWN = 500;

export async function readChanges(store: Store | undefined, isOpenOnly: boolean): Promise<ChangeView> {
  if (!store) return { ...NOTHING, project: '', isOpenOnly };
  const [run] = await store.latestRuns({ limit: 1 });
  const list = await listChanges({ states: isOpenOnly ? ['open'] : [], isWorse: false, limit: SHOWN }, store);
  return { ...list, project: run?.project ?? '', isOpenOnly };
}

/** Changes that somebody should look at: open, and not known to be good. */
export async function changesToLookAt(store: Store, limit: number): Promise<readonly FollowedChange[]> {
  const open = await store.changes({ isOpen: true, limit });
  return open.filter(({ direction }) => direction !== 'better');
}

const NOTHING: ChangeList = {
  changes: [],
  hidden: { withdrawn: 0, state: 0, experiment: 0, metric: 0, since: 0, worse: 0, limit: 0 },
  openRegressions: 0,
  openMachineEvents: 0,
  openUnknown: 0,
  absences: [],
};
