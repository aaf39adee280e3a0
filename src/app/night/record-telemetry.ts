import { messageOf, NightmarkError } from '../../core/errors.ts';
import type { TelemetrySwitches } from '../../core/model/home.ts';
import type { PointColumns } from '../../core/model/sample.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { TelemetrySource } from '../../core/ports/telemetry.ts';
import type { CancelSignal } from '../../core/signal.ts';
import { followSource, type SourceOutcome } from './follow-source.ts';
import { stopSwitch } from './stop-switch.ts';
import { columnBuilder } from './telemetry-columns.ts';
import { telemetryNotes } from './telemetry-notes.ts';
import { telemetryPoints } from './telemetry-points.ts';
import { type TelemetryFiles, writeTelemetry } from './write-telemetry.ts';

export interface TelemetryRequest extends TelemetryFiles {
  readonly switches: TelemetrySwitches;
}

export interface TelemetryEffects {
  readonly sources: readonly TelemetrySource[];
  readonly disk: Disk;
  readonly clock: Clock;
  readonly signal: CancelSignal;
}

export interface TelemetryRecording {
  /** Ends the recording and writes its files. Never rejects for a fault of a source or of the disk: that is a note. */
  stop(): Promise<RecordedTelemetry>;
}

export interface RecordedTelemetry {
  readonly columns: readonly PointColumns[];
  /** What is missing in the recording, and why; one sentence each. */
  readonly notes: readonly string[];
}

/** What a sample under way at the end of the stage may still take. */
const GRACE_MS = 200;

/** Sampling more often would disturb what is measured. */
const MIN_RATE_SECONDS = 0.1;

/** Samples the machine beside a stage, each source at its own pace: one that hangs holds up nobody. */
export async function startTelemetry(
  request: TelemetryRequest,
  { sources, disk, clock, signal }: TelemetryEffects,
): Promise<TelemetryRecording> {
  const { switches } = request;
  const wanted = switches.rateSeconds > 0 ? sources.filter((source) => switches[source.switch]) : [];
  if (!(switches.rateSeconds > 0) || !(switches.cpu || switches.gpu)) return nothing;

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
      const recorded = { cpu: builders.cpu.columns(), gpu: builders.gpu.columns() };
      const notes = telemetryNotes(switches, outcomes);
      if (switches.rateSeconds < MIN_RATE_SECONDS) {
        notes.push(
          `telemetry: one sample in ${MIN_RATE_SECONDS} s is the most; asked for ${switches.rateSeconds} s`,
        );
      }
      const columns = telemetryPoints(request.experiment, startedAt, recorded);
      try {
        await writeTelemetry(request, recorded, disk);
      } catch (error) {
        if (!(error instanceof NightmarkError)) throw error;
        notes.push(`telemetry: its files are incomplete: ${messageOf(error)}`);
      }
      return { columns, notes };
    },
  };
}

const nothing: TelemetryRecording = { stop: async () => ({ columns: [], notes: [] }) };

/** Waits for all, but never longer than the grace time; the timer goes when it is not needed. */
async function withinGrace(work: readonly Promise<void>[], clock: Clock): Promise<void> {
  const timer = stopSwitch();
  await Promise.race([Promise.all(work), clock.sleep(GRACE_MS, timer.signal)]);
  timer.stop();
}
