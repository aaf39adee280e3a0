import type { Executor } from '../../../executors/core/executor.ts';
import type { Measures } from '../../../executors/core/measures.ts';
import type { ExecutorId } from '../../../executors/core/place.ts';
import type { MachineProbe } from '../../../home/core/machine/machine-probe.ts';
import type { TelemetrySource } from '../../../home/core/machine/telemetry-source.ts';
import type { PlannedTest } from '../../../home/core/matrix-definition.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import type { Locks } from '../../../platform/core/lock.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';

export interface MatrixRunEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly executor: Executor;
  /** For leftovers of an interrupted run that had another executor. */
  loadExecutor(id: ExecutorId): Promise<Executor>;
  readonly locks: Locks;
  readonly machine: MachineProbe;
  /** What can be sampled beside a test. */
  readonly telemetry: readonly TelemetrySource[];
  readonly signal: CancelSignal;
  /** Environment that the tests inherit. */
  readonly env: Readonly<Record<string, string>>;
  readonly holder: { readonly pid: number; readonly host: string };
  randomSeed(): number;
  /** The settings in a settings.yaml; undefined when it is invalid. */
  parseSettings(file: string, text: string): JsonObject | undefined;
  report(event: MatrixEvent): void;
}

/** Progress of a matrix run. Folders are relative to the results. */
export type MatrixEvent =
  | { readonly type: 'begun'; readonly total: number; readonly recorded: number; readonly waiting: number }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'started'; readonly folder: string; readonly logFile: string }
  | {
      readonly type: 'finished';
      readonly result: TestResult;
      readonly done: number;
      readonly waiting: number;
      readonly remainingMs?: number;
    };

/** The result of a planned test. */
export interface TestResult {
  readonly test: PlannedTest;
  readonly state: TestState;
  /** Absent: the test was never started. */
  readonly folder?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly attempts?: number;
  /** What was measured of its command; also in its folder. */
  readonly measures?: Readonly<Partial<Measures>>;
  /** What of it could not be measured, a sentence each. */
  readonly absent?: readonly string[];
  /** The node of a cluster that it ran on. */
  readonly host?: string;
  /** Why it failed, where its exit code does not show it. */
  readonly message?: string;
}

/**
 * succeeded, failed: in this run. recorded: had succeeded before. kept: had failed or was missing, and was not requested.
 * interrupted: was stopped with the run. waiting: the run ended before it.
 */
export type TestState = 'succeeded' | 'failed' | 'recorded' | 'kept' | 'interrupted' | 'waiting';
