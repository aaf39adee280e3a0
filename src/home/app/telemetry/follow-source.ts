import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import type { TelemetrySampler, TelemetrySource } from '../../core/machine/telemetry.ts';
import type { ColumnBuilder } from './telemetry-columns.ts';

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
export function followSource(
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
      // A sample that took longer than the rate leaves out the moments it missed.
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
