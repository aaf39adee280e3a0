import type { NotifyRoute } from '../../../home/core/home.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import type { Notice } from '../../core/notices/notice.ts';
import type { NoticePicture, NoticePreview, NotifierConnection } from '../../core/notices/notifier.ts';
import {
  isQuiet,
  isWanted,
  type Merged,
  mergePending,
  type Pending,
  passesQuiet,
  wallIn,
} from '../../core/notices/pending-notices.ts';
import { planMessages } from '../../core/notices/plan-messages.ts';
import type { DeliveryLog } from './delivery-log.ts';

/** Where a route leads: one channel, one address, one list of readers. */
export interface Destination {
  /** Its name in the delivery log. */
  readonly name: string;
  readonly route: NotifyRoute;
  readonly connection: NotifierConnection;
  /** Why nothing can be sent yet: a variable that is not set. */
  readonly obstacle?: string;
}

export interface NotifyEffects {
  readonly disk: Disk;
  readonly clock: Pick<Clock, 'now' | 'wall' | 'sleep'>;
  readonly signal: CancelSignal;
  /** From 0 to 1. */
  random(): number;
  /** The chart of a change; undefined: it cannot be drawn. */
  draw(changeId: string): Promise<NoticePicture | undefined>;
}

export interface SelectedNotices extends Merged {
  /** What can be sent now; the rest of what is pending waits for the end of quiet hours. */
  readonly ready: readonly Pending[];
}

/** The notices for a destination: those that wait already, and the new ones that its route selects. */
export function selectNotices(
  { name, route, connection }: Destination,
  { notices, log }: { readonly notices: readonly Notice[]; readonly log: DeliveryLog },
  clock: Pick<Clock, 'now' | 'wall'>,
): SelectedNotices {
  const { deliveries, pending } = log.of(name);
  const now = clock.now();
  const subscriber = { route, deliveries, canUpdate: connection.supports.updates };
  const wanted = notices.filter((notice) => isWanted(notice, subscriber));
  const { quiet } = route;
  const wall = quiet?.timezone === undefined ? clock.wall(now) : wallIn(quiet.timezone, now);
  const merged = mergePending(pending, wanted, { deliveries, now });
  if (quiet === undefined || !isQuiet(quiet, wall)) return { ...merged, ready: merged.pending };
  const marked = merged.pending.map((it) => ({ ...it, isHeld: !passesQuiet(it.notice, quiet) }));
  return { ...merged, pending: marked, ready: marked.filter(({ isHeld }) => !isHeld) };
}

/** What a destination would get now. */
export interface DestinationPreview {
  readonly destination: string;
  readonly obstacle?: string;
  readonly messages: readonly MessagePreview[];
}

export interface MessagePreview extends NoticePreview {
  readonly charts: readonly string[];
  /** It would be held back until quiet hours are over. */
  readonly isHeld: boolean;
}

/** Exactly what would be sent to whom; nothing is sent and nothing is written. */
export function previewNotices(
  notices: readonly Notice[],
  { destinations, log }: { readonly destinations: readonly Destination[]; readonly log: DeliveryLog },
  clock: Pick<Clock, 'now' | 'wall'>,
): readonly DestinationPreview[] {
  return destinations.map((destination) => {
    const { name, connection, obstacle } = destination;
    const { supports } = connection;
    const { pending, ready } = selectNotices(destination, { notices, log }, clock);
    const held = pending.filter((it) => !ready.includes(it));
    const messages = [
      ...planMessages(ready, log.of(name).deliveries, supports).map((it) => ({ ...it, isHeld: false })),
      ...planMessages(held, log.of(name).deliveries, supports).map((it) => ({ ...it, isHeld: true })),
    ].flatMap(({ notice, as, isHeld }) =>
      as.map((step) => ({
        isHeld,
        ...connection.preview({
          notice,
          kind: step.kind,
          ...(step.kind !== 'new' && { earlier: step.receipt }),
          pictures: [],
        }),
        charts: step.kind === 'new' && supports.images ? notice.charts : [],
      })),
    );
    return {
      destination: name,
      ...(obstacle !== undefined && { obstacle }),
      messages,
    };
  });
}
