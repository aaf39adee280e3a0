import type { ExecutorId } from '../../core/model/place.ts';
import type { Archiver } from '../../core/ports/archiver.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { CommitLog } from '../../core/ports/commit-log.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Executor } from '../../core/ports/executor.ts';
import type { Format } from '../../core/ports/format.ts';
import type { Locks } from '../../core/ports/lock.ts';
import type { MachineProbe } from '../../core/ports/machine-probe.ts';
import type { SourceControl } from '../../core/ports/source-control.ts';
import type { Store } from '../../core/ports/store.ts';
import type { TelemetrySource } from '../../core/ports/telemetry.ts';
import type { CancelSignal } from '../../core/signal.ts';
import type { SubsystemTools } from '../subsystems/work.ts';
import type { NightEvent } from './events.ts';

/** What a night needs of the world. */
export interface NightEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  /** For what runs on this machine: sources, subsystems, and experiments that say nothing else. */
  readonly executor: Executor;
  /** The executor of an experiment that runs elsewhere. */
  loadExecutor(id: ExecutorId): Promise<Executor>;
  readonly archiver: Archiver;
  readonly control: SourceControl;
  /** Tells what lies between two commits; absent: hashes only. */
  readonly commits?: CommitLog;
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
