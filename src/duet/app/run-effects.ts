import type { Executor } from '../../executors/core/executor.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry-source.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { Locks } from '../../platform/core/lock.ts';
import type { PlannedRun } from '../core/duet.ts';
import type { DuetRunProblem, DuetRunRecord } from '../core/duet-journal.ts';
import type { SandboxProvider } from '../core/sandbox.ts';

/** Everything a run of duet.yml files needs from outside. */
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

/** Progress of a run of duet.yml files. `name` is that of the suite. */
export type DuetRunEvent =
  | { readonly type: 'refused'; readonly file: string; readonly reason: string }
  | {
      readonly type: 'file-started';
      readonly name: string;
      readonly path: string;
      readonly seed: number;
      /** Absent when no side has an image. */
      readonly engine?: string;
      readonly filter: readonly string[];
      readonly excluded: number;
      readonly plan: readonly PlannedRun[];
      /** How many of the plan an earlier start has done. */
      readonly done: number;
    }
  | { readonly type: 'artifacts'; readonly name: string }
  | {
      readonly type: 'run-started';
      readonly name: string;
      readonly run: PlannedRun;
      readonly index: number;
      readonly total: number;
      readonly at: number;
      /** Absent until a run has ended. */
      readonly leftMs?: number;
    }
  | {
      readonly type: 'step';
      readonly name: string;
      readonly run: PlannedRun;
      readonly step: 'RUN' | 'STOP' | 'GET' | 'RESULTS' | 'CLEANUP';
    }
  | { readonly type: 'output'; readonly name: string; readonly side: Side; readonly text: string }
  | {
      readonly type: 'run-problem';
      readonly name: string;
      readonly run: PlannedRun;
      readonly problem: DuetRunProblem;
    }
  | { readonly type: 'run-ended'; readonly name: string; readonly record: DuetRunRecord }
  | { readonly type: 'note' | 'warning'; readonly name: string; readonly text: string };

/** How logs and summaries call a run: duet.fop.0. */
export function runLabel({ type, benchmark, runid }: PlannedRun): string {
  return `${type}.${benchmark}.${runid}`;
}
