import type { PublicationRecord } from '../../dashboard/app/publications.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Run } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { StatusFilter } from '../../jobs/core/job-queue.ts';
import type { Disk } from '../../platform/core/disk.ts';

/** The health of the server: what it holds, what came in, what waits. */
export interface ServerView {
  readonly version?: string;
  readonly home: string;
  /** When this was read, and when the server started. */
  readonly at: number;
  readonly startedAt: number;
  readonly runtime: string;
  /** Bytes of memory: all of the process, and what JavaScript holds of it. */
  readonly memory: { readonly resident: number; readonly heap: number };
  /** Pages that receive events. */
  readonly listeners: number;
  readonly index?: IndexHealth;
  readonly points?: PointsHealth;
  readonly jobs?: JobsHealth;
  /** How the last publication to each target of the definition went. */
  readonly publications: readonly PublicationRecord[];
  /** What needs attention. */
  readonly problems: readonly string[];
}

export interface IndexHealth {
  /** With its write-ahead log. */
  readonly bytes: number;
  readonly changedAt: number;
  readonly runs: number;
  readonly newest?: Pick<Run, 'id' | 'label' | 'kind' | 'state' | 'startedAt'>;
  /** Series without new values. */
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

/** Undefined while there is no index. */
export async function readIndexHealth(
  home: string,
  { disk, store }: { readonly disk: Disk; readonly store: Store | undefined },
): Promise<IndexHealth | undefined> {
  const { index, changes } = homeLayout(home);
  const [file, log, ledger] = [
    await disk.stat(index),
    await disk.stat(`${index}-wal`),
    await disk.stat(changes),
  ];
  if (!store || !file) return undefined;
  const [newest] = await store.latestRuns({ limit: 1 });
  return {
    bytes: file.size + (log?.size ?? 0),
    changedAt: Math.max(file.modifiedAt, log?.modifiedAt ?? 0),
    runs: await store.countRuns(),
    ...(newest && { newest: pick(newest) }),
    absences: (await store.absences()).length,
    changesBytes: ledger?.size ?? 0,
  };
}

function pick({ id, label, kind, state, startedAt }: NonNullable<IndexHealth['newest']>) {
  return { id, label, kind, state, startedAt };
}
