import type { Clock } from '../../../platform/core/clock.ts';
import type { Notice } from '../../core/notices/notice.ts';
import { planMessages } from '../../core/notices/plan-messages.ts';
import type { NoticePreview } from '../../core/notifier.ts';
import type { NoticeBook } from './notice-book.ts';
import type { Destination } from './notify-effects.ts';
import { takeIn } from './take-in.ts';

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
  { destinations, book }: { readonly destinations: readonly Destination[]; readonly book: NoticeBook },
  clock: Pick<Clock, 'now' | 'wall'>,
): readonly DestinationPreview[] {
  return destinations.map((destination) => {
    const { name, connection, obstacle } = destination;
    const { supports } = connection;
    const { pending, ready } = takeIn(destination, { notices, book }, clock);
    const held = pending.filter((it) => !ready.includes(it));
    const messages = [
      ...planMessages(ready, book.of(name).told, supports).map((it) => ({ ...it, isHeld: false })),
      ...planMessages(held, book.of(name).told, supports).map((it) => ({ ...it, isHeld: true })),
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
