import type { TelemetrySwitches } from '../../core/home.ts';
import type { SourceOutcome } from './follow-source.ts';

/** What a recording lacks, a sentence for each source that gave less than it was asked for. */
export function telemetryNotes(switches: TelemetrySwitches, outcomes: readonly SourceOutcome[]): string[] {
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
