import type { NotifyRoute } from '../../../home/core/home.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import type { NoticePicture, NotifierConnection } from '../../core/notifier.ts';

/** Where a route leads: one channel, one address, one list of readers. */
export interface Destination {
  /** Name of its memory. */
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
