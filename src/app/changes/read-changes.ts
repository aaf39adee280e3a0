import type { FollowedChange } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';
import { type ChangeList, listChanges, NOTHING_HIDDEN } from './list-changes.ts';

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
  const list = await listChanges({ states: isOpenOnly ? ['open'] : [], directions: [], limit: SHOWN }, store);
  return { ...list, project: run?.project ?? '', isOpenOnly };
}

/** Changes that somebody should look at: open, and not known to be good. */
export async function changesToLookAt(store: Store, limit: number): Promise<readonly FollowedChange[]> {
  const open = await store.changes({ isOpen: true, limit });
  return open.filter(({ direction }) => direction !== 'better');
}

const NOTHING: ChangeList = {
  changes: [],
  hidden: NOTHING_HIDDEN,
  openRegressions: 0,
  openMachineEvents: 0,
  openUnknown: 0,
  absences: [],
};
