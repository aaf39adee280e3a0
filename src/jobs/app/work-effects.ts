import type { Executor } from '../../executors/core/executor.ts';
import type { LineSink } from '../../metrics/core/lines/line-sink.ts';
import type { Archiver } from '../../platform/core/archiver.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { CancelSignal } from '../../platform/core/signal.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { Worker } from '../../platform/core/worker.ts';
import type { Job } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';
import type { StreamDecoder } from '../core/output-lines.ts';

/** What a worker sees of the world. */
export interface WorkEffects {
  readonly queue: JobQueue;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly archiver: Archiver;
  /** By id. */
  readonly executors: ReadonlyMap<string, Executor>;
  readonly worker: Worker;
  /** Takes the metrics of jobs. */
  readonly metrics: LineSink;
  /** Facts of this machine. */
  readonly facts: JsonObject;
  /** Environment that commands of this machine begin with. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
  /** Whether a process of this machine lives; undefined for those of others. */
  isAlive(worker: Worker): boolean | undefined;
  decoder(): StreamDecoder;
  md5(text: string): string;
  /** A controller of one's own: stops one job and no other. */
  canceller(): Canceller;
  report(event: WorkEvent): void;
}

export interface Canceller {
  readonly signal: CancelSignal;
  abort(): void;
}

/** What a worker tells while it works. */
export type WorkEvent =
  | { readonly type: 'claimed' | 'resumed'; readonly job: Job; readonly rank: number }
  | { readonly type: 'started'; readonly job: Job; readonly folder: string }
  | { readonly type: 'ended'; readonly job: Job; readonly rank: number; readonly how: string }
  | { readonly type: 'requeued'; readonly id: string; readonly becomes: string }
  | { readonly type: 'problem'; readonly id?: string; readonly message: string };

export interface WorkOptions {
  /** Absolute folder of results. */
  readonly results: string;
  /** Folder with the kit's Python. */
  readonly kitDir: string;
  /** Jobs of this machine at once. */
  readonly slots: number;
  /** Jobs on clusters at once: they only cost us following. */
  readonly remoteSlots: number;
  readonly ids?: readonly string[];
  readonly project?: string;
  /** This rank, as MPI gave it. */
  readonly rank?: number;
  /** Ends when there is nothing left to claim. */
  readonly isDraining: boolean;
  /** What becomes of jobs when the worker is told to stop. */
  readonly onStop: 'cancel' | 'requeue';
}
