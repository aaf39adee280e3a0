import { type CancelSignal, stopSwitch } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import type { TelemetrySwitches } from '../../core/home.ts';
import type { TelemetrySampler, TelemetrySource } from '../../core/machine/telemetry-source.ts';
import type { RecordedColumns } from './record-telemetry.ts';
import { type ColumnBuilder, columnBuilder } from './telemetry-columns.ts';

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

/** Samples the machine, each source at its own pace: one that hangs does not delay the others. */
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
          `telemetry: the shortest interval is ${MIN_RATE_SECONDS} s; ${switches.rateSeconds} s was requested`,
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

export interface SampleSchedule {
  readonly clock: Clock;
  readonly rateSeconds: number;
  /** Since the start of the recording, measured. */
  readonly elapsedSeconds: () => number;
  readonly signal: CancelSignal;
}

export interface FollowedSource {
  /** Resolves, and never rejects, when no more sample is taken. */
  readonly done: Promise<void>;
  /** Ends a sample under way; what it would still give is not recorded. */
  close(): SourceOutcome;
}

/** How it went with one source. */
export interface SourceOutcome {
  readonly source: TelemetrySource;
  /** Why the source is not there at all. */
  readonly missing?: string;
  readonly samples: number;
  readonly failed: number;
  readonly firstFailure: string;
}

/** Samples one source until the signal: the first time at once, then at each multiple of the rate. */
function followSource(
  source: TelemetrySource,
  columns: ColumnBuilder,
  schedule: SampleSchedule,
): FollowedSource {
  const outcome = { samples: 0, failed: 0, firstFailure: '' };
  let missing: string | undefined;
  let sampler: TelemetrySampler | undefined;
  let isClosed = false;

  const sampleOnce = async (from: TelemetrySampler) => {
    const elapsed = Math.round(schedule.elapsedSeconds() * 1000) / 1000;
    try {
      const readings = await from.sample();
      if (isClosed) return;
      columns.add(elapsed, readings);
    } catch (error) {
      if (isClosed) return;
      outcome.failed++;
      outcome.firstFailure ||= messageOf(error);
    }
    outcome.samples++;
  };

  const follow = async () => {
    const opened = await source.open();
    if (isClosed) return opened.state === 'open' ? opened.close?.() : undefined;
    if (opened.state === 'missing') {
      missing = opened.reason;
      return;
    }
    sampler = opened;
    let tick = 0;
    do {
      await sampleOnce(opened);
      // A sample that took longer than the interval skips the times it missed.
      tick = Math.max(tick + 1, Math.floor(schedule.elapsedSeconds() / schedule.rateSeconds) + 1);
      await sleepUntil(tick * schedule.rateSeconds, schedule);
    } while (!schedule.signal.aborted);
  };

  return {
    done: follow().catch((error) => {
      missing = messageOf(error);
    }),
    close() {
      isClosed = true;
      sampler?.close?.();
      const isSilent = !sampler && missing === undefined;
      const reason = isSilent ? 'no answer before the end' : missing;
      return { source, ...outcome, ...(reason === undefined ? {} : { missing: reason }) };
    },
  };
}

/** Timers of a platform may be early, and know no more than 24 days. */
const LONGEST_SLEEP_MS = 3_600_000;

async function sleepUntil(
  dueSeconds: number,
  { clock, elapsedSeconds, signal }: SampleSchedule,
): Promise<void> {
  while (!signal.aborted) {
    const ms = (dueSeconds - elapsedSeconds()) * 1000;
    if (ms <= 0) return;
    await clock.sleep(Math.min(Math.max(ms, 1), LONGEST_SLEEP_MS), signal);
  }
}

/** What a recording lacks, a sentence for each source with missing samples. */
function telemetryNotes(switches: TelemetrySwitches, outcomes: readonly SourceOutcome[]): string[] {
  const notes: string[] = [];
  for (const kind of ['cpu', 'gpu'] as const) {
    if (!switches[kind]) continue;
    const name = kind.toUpperCase();
    const sources = outcomes.filter(({ source }) => source.switch === kind);
    if (sources.length === 0) notes.push(`telemetry: no source for ${name} telemetry; it is left out`);
    const isAllSilent = sources.every((outcome) => outcome.failed === outcome.samples);
    const what = isAllSilent ? `${name} telemetry is left out` : 'its readings are left out';
    notes.push(...sources.flatMap((outcome) => noteOn(outcome, what)));
  }
  return notes;
}

function noteOn({ source, missing, samples, failed, firstFailure }: SourceOutcome, what: string): string[] {
  if (missing !== undefined) return [`${source.id}: ${missing}; ${what}`];
  if (samples === 0) return [`${source.id}: no answer before the end; ${what}`];
  if (failed === 0) return [];
  if (failed === samples) return [`${source.id}: ${firstFailure}; ${what}`];
  return [`${source.id}: ${failed} of ${samples} samples failed: ${firstFailure}`];
}
