import type { HomePlans } from '../app/home/home-view.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disk } from '../core/ports/disk.ts';
import type { Store } from '../core/ports/store.ts';
import type { JobService } from './jobs/effects.ts';
import type { PointService } from './points/effects.ts';

export interface ServerOptions {
  /** Absolute. */
  readonly home: string;
  /** Only names of this machine are accepted as Host, so that no foreign page can reach it through DNS. */
  readonly isLoopback: boolean;
  /** Asked for on every page but /health; absent: whoever reaches the server may read. */
  readonly token?: string;
  /** Asked for where something is written, even when everybody may read. */
  readonly writeToken?: string;
  /** Of Nightmark, to be shown. */
  readonly version?: string;
}

export interface ServerEffects {
  readonly disk: Disk;
  readonly clock: Pick<Clock, 'now'>;
  readonly index: IndexSource;
  /** Takes points; without it there are no routes for them. */
  readonly points?: PointService;
  /** The queue of jobs; without it there are no routes for them. */
  readonly jobs?: JobService;
  /** When the next night is, and deadlines: as the definition says now. */
  readonly plans?: () => Promise<HomePlans>;
  /** A line for whoever runs the server: what clients are not told. */
  report(line: string): void;
}

/** The index of the home, which may appear or be replaced while the server runs. */
export interface IndexSource {
  /** Undefined while there is none. Who opened it keeps it: callers do not close it. */
  current(): Promise<Store | undefined>;
}
