import type { Executor } from '../../executors/core/executor.ts';
import type { ExecutorId } from '../../executors/core/place.ts';
import type { Format } from '../../formats/core/format.ts';
import type { CommitLog } from '../../git/core/commit-log.ts';
import type { SourceControl } from '../../git/core/source-control.ts';
import type { StageName } from '../../home/core/home.ts';
import type { PointResult } from '../../home/core/journal.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry-source.ts';
import type { Run, StageResult, Trial } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import type { Archiver } from '../../platform/core/archiver.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Locks } from '../../platform/core/lock.ts';
import type { SubsystemTools } from './subsystems/subsystem-work.ts';

/** What a night needs of the world. */
export interface NightEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  /** For what runs on this machine: sources, subsystems, and experiments without another executor. */
  readonly executor: Executor;
  /** The executor of an experiment that runs elsewhere. */
  loadExecutor(id: ExecutorId): Promise<Executor>;
  readonly archiver: Archiver;
  /** For sources and their commits: most nights of small homes have none. */
  openControl(): Promise<SourceControl & CommitLog>;
  readonly store: Store;
  readonly locks: Locks;
  readonly machine: MachineProbe;
  readonly telemetry: readonly TelemetrySource[];
  readonly formats: readonly Format[];
  /** What built-in subsystems need beyond the above. */
  readonly tools: SubsystemTools;
  readonly signal: CancelSignal;
  /** Environment that the scripts inherit. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder that scripts find as BENCHMARK_DEPS, unless their environment names one. */
  readonly kitDir: string;
  /** Who holds the lock, for the one who is refused. */
  readonly holder: { readonly pid: number; readonly host: string };
  randomSeed(): number;
  report(event: NightEvent): void;
}

/** What a night reports while it runs; terminals and logs show it each in their own form. */
export type NightEvent =
  | {
      readonly type: 'night-started';
      readonly run: Run;
      readonly isResumed: boolean;
      readonly stages: number;
    }
  | {
      readonly type: 'stage-started';
      readonly kind: Trial['kind'];
      readonly task: string;
      readonly stage: StageName;
      readonly at: number;
    }
  | { readonly type: 'stage-finished'; readonly result: StageResult }
  | {
      readonly type: 'point-finished';
      readonly result: PointResult;
      readonly done: number;
      readonly total: number;
      readonly remainingMs?: number;
    }
  | { readonly type: 'step'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'night-ended'; readonly run: Run; readonly trials: readonly Trial[] };
