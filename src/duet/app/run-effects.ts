import type { Executor } from '../../executors/core/executor.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry-source.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Locks } from '../../platform/core/lock.ts';
import type { SandboxProvider } from '../core/sandbox.ts';
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
