import { type CancelSignal, stopSwitch } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { TelemetrySwitches } from '../../core/home.ts';
import type { TelemetrySource } from '../../core/machine/telemetry.ts';
import { followSource, type SourceOutcome } from './follow-source.ts';
import { columnBuilder } from './telemetry-columns.ts';
import { telemetryNotes } from './telemetry-notes.ts';
import type { RecordedColumns } from './write-telemetry.ts';

export interface RecordingEffects {
  readonly sources: readonly TelemetrySource[];
  readonly clock: Clock;
  readonly signal: CancelSignal;
}

export interface Recording {
  /** Ends the recording. Never rejects for a fault of a source: that is a note. */
  stop(): Promise<Recorded>;
}

export interface Recorded {
  readonly startedAt: number;
  readonly columns: RecordedColumns;
  /** What is missing, and why; one sentence each. */
  readonly notes: readonly string[];
}

/** What a sample under way at the end may still take. */
const GRACE_MS = 200;

/** Sampling more often would disturb what is measured. */
const MIN_RATE_SECONDS = 0.1;

/** Samples the machine, each source at its own pace: one that hangs holds up nobody. */
export function recordSources(
  switches: TelemetrySwitches,
  { sources, clock, signal }: RecordingEffects,
): Recording {
  const wanted = switches.rateSeconds > 0 ? sources.filter((source) => switches[source.switch]) : [];
  const switchOff = stopSwitch(signal);
  const startedAt = clock.now();
  const startedMicros = clock.micros();
  const schedule = {
    clock,
    rateSeconds: Math.max(switches.rateSeconds, MIN_RATE_SECONDS),
    elapsedSeconds: () => (clock.micros() - startedMicros) / 1e6,
    signal: switchOff.signal,
  };
  const builders = { cpu: columnBuilder(), gpu: columnBuilder() };
  const followed = wanted.map((source) => followSource(source, builders[source.switch], schedule));

  return {
    async stop() {
      switchOff.stop();
      switchOff.release();
      await withinGrace(
        followed.map(({ done }) => done),
        clock,
      );
      const outcomes: readonly SourceOutcome[] = followed.map((source) => source.close());
      const notes = telemetryNotes(switches, outcomes);
      if (switches.rateSeconds < MIN_RATE_SECONDS) {
        notes.push(
          `telemetry: one sample in ${MIN_RATE_SECONDS} s is the most; asked for ${switches.rateSeconds} s`,
        );
      }
      const columns = { cpu: builders.cpu.columns(), gpu: builders.gpu.columns() };
      return { startedAt, columns, notes };
    },
  };
}

/** Waits for all, but never longer than the grace time; the timer goes when it is not needed. */
async function withinGrace(work: readonly Promise<void>[], clock: Clock): Promise<void> {
  const timer = stopSwitch();
  await Promise.race([Promise.all(work), clock.sleep(GRACE_MS, timer.signal)]);
  timer.stop();
}
