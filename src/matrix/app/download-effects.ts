import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Landing } from '../core/landing.ts';
import type { RemoteFolder } from '../core/remote-folder.ts';

/** What fetching a tree needs of the world. */
export interface DownloadEffects {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: CancelSignal;
  readonly landing: Landing;
  openRemote(url: string): Promise<RemoteFolder>;
  /** A file is finished, or was given up. */
  onFile(file: DownloadedFile): void;
}

export interface DownloadedFile {
  /** Relative to the folder of results. */
  readonly path: string;
  /** planned: it would be fetched. kept: it is there already. refused: its name or place is not acceptable. */
  readonly state: 'planned' | 'fetched' | 'kept' | 'refused' | 'failed';
  /** Bytes of the file; what is not known is absent. */
  readonly bytes?: number;
  /** Bytes that were there from an earlier time. */
  readonly resumedAt?: number;
  readonly reason?: string;
}

/** How many bytes may still come. */
export interface Budget {
  left: number;
}
