import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { type ChangeList, listChanges, NOTHING_HIDDEN } from './list-changes.ts';

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
