import type { PublicationRecord } from '../../dashboard/app/publications/publication-book.ts';
import type { Run } from '../../home/core/run.ts';
import type { StatusFilter } from '../../jobs/core/job-queue.ts';

/** How the server does: what it holds, what came in, what waits. */
export interface ServerView {
  readonly version?: string;
  readonly home: string;
  /** When this was looked at, and when the server began. */
  readonly at: number;
  readonly startedAt: number;
  readonly runtime: string;
  /** Bytes of memory: all of the process, and what JavaScript holds of it. */
  readonly memory: { readonly resident: number; readonly heap: number };
  /** Pages that are told of news. */
  readonly listeners: number;
  readonly index?: IndexHealth;
  readonly points?: PointsHealth;
  readonly jobs?: JobsHealth;
  /** How the last publication to each target of the definition went. */
  readonly publications: readonly PublicationRecord[];
  /** What somebody should do something about. */
  readonly problems: readonly string[];
}

export interface IndexHealth {
  /** With its write-ahead log. */
  readonly bytes: number;
  readonly changedAt: number;
  readonly runs: number;
  readonly newest?: Pick<Run, 'id' | 'label' | 'kind' | 'state' | 'startedAt'>;
  /** Series that stopped coming. */
  readonly absences: number;
  /** Of the ledger of changes. */
  readonly changesBytes: number;
}

export interface PointsHealth {
  readonly databases: number;
  readonly points: number;
  readonly bytes: number;
  readonly logBytes: number;
  /** Since the server started. */
  readonly taken: number;
  readonly refusedLines: number;
  readonly lostPackets: number;
  readonly mirrors: number;
  readonly mirrorsAway: number;
}

export interface JobsHealth {
  readonly counts: Readonly<Partial<Record<StatusFilter, number>>>;
  /** Of the queue on disk; absent where it is elsewhere. */
  readonly bytes?: number;
}
