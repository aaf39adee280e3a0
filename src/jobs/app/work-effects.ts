import type { Executor } from '../../executors/core/executor.ts';
import type { LineSink } from '../../metrics/core/lines/line-sink.ts';
import type { Archiver } from '../../platform/core/archiver.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Worker } from '../../platform/core/lock.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { Job } from '../core/job.ts';
import type { JobQueue } from '../core/job-queue.ts';
import type { StreamDecoder } from '../core/output-lines.ts';

/** Everything outside that a worker uses. */
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
  /** Whether a process of this machine is alive; undefined for other machines. */
  isAlive(worker: Worker): boolean | undefined;
  decoder(): StreamDecoder;
  md5(text: string): string;
  /** A new controller, to stop one job and no other. */
  canceller(): Canceller;
  report(event: WorkEvent): void;
}

export interface Canceller {
  readonly signal: CancelSignal;
  abort(): void;
}

/** Progress of a worker. */
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
  /** Jobs on clusters at once: they only have to be followed. */
  readonly remoteSlots: number;
  readonly ids?: readonly string[];
  readonly project?: string;
  /** This rank, as assigned by MPI. */
  readonly rank?: number;
  /** Ends when there is nothing left to claim. */
  readonly isDraining: boolean;
  /** What happens to running jobs when the worker is stopped. */
  readonly onStop: 'cancel' | 'requeue';
}
