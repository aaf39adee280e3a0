import { counted, formatDuration, formatNumber } from './numbers.ts';

/** How the trials of one kind of one run stand. `total` leaves out the inactive ones. */
export interface TrialCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly skipped: number;
  readonly unfinished: number;
  readonly inactive: number;
}

/** "24 of 26 experiments succeeded, 2 failed, 1 h 12 min": what was left out is counted too. */
export function describeNight(
  experiments: TrialCounts,
  subsystems: TrialCounts,
  durationMs: number | undefined,
): string {
  const parts = [
    experiments.total === 0
      ? 'no experiment was run'
      : `${formatNumber(experiments.succeeded)} of ${counted(experiments.total, 'experiment')} succeeded`,
  ];
  if (experiments.failed > 0) parts.push(`${formatNumber(experiments.failed)} failed`);
  if (experiments.skipped > 0) parts.push(`${experiments.skipped} skipped`);
  if (experiments.unfinished > 0) parts.push(`${experiments.unfinished} not finished`);
  if (experiments.inactive > 0) parts.push(`${experiments.inactive} inactive`);
  if (subsystems.failed > 0) parts.push(`${counted(subsystems.failed, 'subsystem')} failed`);
  if (durationMs !== undefined) parts.push(formatDuration(durationMs));
  return parts.join(', ');
}
