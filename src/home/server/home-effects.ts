import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Store } from '../core/store.ts';

/** The index of the home, which may appear or be replaced while the server runs. */
export interface IndexSource {
  /** Undefined while there is none. Who opened it keeps it: callers do not close it. */
  current(): Promise<Store | undefined>;
  /** A version that changes with every change of the index; absent or undefined where it is unknown. */
  version?(): string | undefined;
}

/** What routes about a home work with. */
export interface HomeServerEffects {
  readonly disk: Disk;
  readonly clock: Pick<Clock, 'now'>;
  readonly index: IndexSource;
  /** A line for the log of the server, not for clients. */
  report(line: string): void;
}
