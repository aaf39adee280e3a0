import type { Clock } from '../../core/ports/clock.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Executor } from '../../core/ports/executor.ts';
import type { Locks } from '../../core/ports/lock.ts';
import type { MachineProbe } from '../../core/ports/machine-probe.ts';
import type { SandboxProvider } from '../../core/ports/sandbox.ts';
import type { TelemetrySource } from '../../core/ports/telemetry.ts';
import type { CancelSignal } from '../../core/signal.ts';
import type { DuetRunEvent } from './run-events.ts';

/** Everything a run of duet.yml files needs of the world. */
export interface DuetRunEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly executor: Executor;
  /** For sides without and with an image. */
  readonly sandboxes: { readonly process: SandboxProvider; readonly container: SandboxProvider };
  readonly locks: Locks;
  readonly machine: MachineProbe;
  readonly telemetry: readonly TelemetrySource[];
  readonly signal: CancelSignal;
  /** Where artifacts are gathered, as the original does. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
  readonly holder: { readonly pid: number; readonly host: string };
  randomSeed(): number;
  report(event: DuetRunEvent): void;
}
