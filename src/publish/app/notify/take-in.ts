import type { Clock } from '../../../platform/core/clock.ts';
import { isWanted } from '../../core/notices/is-wanted.ts';
import { type Merged, mergePending } from '../../core/notices/merge-pending.ts';
import type { Notice } from '../../core/notices/notice.ts';
import { isQuiet, passesQuiet, wallIn } from '../../core/notices/quiet.ts';
import type { Pending } from '../../core/notices/told.ts';
import type { NoticeBook } from './notice-book.ts';
import type { Destination } from './notify-effects.ts';

export interface TakenIn extends Merged {
  /** What can be told now; the rest of what is pending waits for the end of quiet hours. */
  readonly ready: readonly Pending[];
}

/** What a destination is to be told now: what waits already, and what it wants of the new. */
export function takeIn(
  { name, route, connection }: Destination,
  { notices, book }: { readonly notices: readonly Notice[]; readonly book: NoticeBook },
  clock: Pick<Clock, 'now' | 'wall'>,
): TakenIn {
  const { told, pending } = book.of(name);
  const now = clock.now();
  const listener = { route, told, canUpdate: connection.supports.updates };
  const wanted = notices.filter((notice) => isWanted(notice, listener));
  const { quiet } = route;
  const wall = quiet?.timezone === undefined ? clock.wall(now) : wallIn(quiet.timezone, now);
  const merged = mergePending(pending, wanted, { told, now });
  if (quiet === undefined || !isQuiet(quiet, wall)) return { ...merged, ready: merged.pending };
  const marked = merged.pending.map((it) => ({ ...it, isHeld: !passesQuiet(it.notice, quiet) }));
  return { ...merged, pending: marked, ready: marked.filter(({ isHeld }) => !isHeld) };
}
