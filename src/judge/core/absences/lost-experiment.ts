import type { TrialState } from '../../../home/core/run.ts';
import { median } from '../../../stats/summary.ts';
import { MISSING_DEFAULTS, type MissingOptions } from './missing.ts';

/** The newest nights of a home, and those in which an experiment was to run. */
export interface ExperimentAttendance {
  /** Its trials, oldest first. */
  readonly trials: readonly { readonly at: number; readonly runId: string; readonly state: TrialState }[];
  /** Starts of all nights, oldest first. */
  readonly nights: readonly number[];
}

/** The last time that the experiment succeeded. */
export interface LostExperiment {
  readonly lastAt: number;
  readonly lastRunId: string;
}

/**
 * An experiment that came and does not come any more: it fails each night, or nights go on without it. One that was
 * switched off is not lost; nor is one that is skipped since its sources stand still.
 */
export function findLostExperiment(
  { trials, nights }: ExperimentAttendance,
  options: Partial<MissingOptions> = {},
): LostExperiment | undefined {
  const { runs, cadences } = { ...MISSING_DEFAULTS, ...options };
  const successes = trials.filter(({ state }) => state === 'succeeded');
  const [last, newest] = [successes.at(-1), trials.at(-1)];
  // What was there once may never have been meant to come again.
  if (!last || !newest || successes.length < 2 || newest.state === 'inactive') return undefined;
  const lost = { lastAt: last.at, lastRunId: last.runId };
  const { failures, longest } = failuresOf(trials);
  if (failures >= Math.max(runs, longest + runs - 1)) return lost;
  const gaps = trials.slice(1).map(({ at }, place) => at - (trials[place]?.at ?? at));
  const silence = (nights.at(-1) ?? newest.at) - newest.at;
  const allowed = Math.max(cadences * median(gaps), 2 * Math.max(...gaps));
  const isGone = nights.filter((at) => at > newest.at).length >= runs && silence >= allowed;
  return isGone ? lost : undefined;
}

/** In a row: those since the last success, and the most there ever were before one. */
function failuresOf(trials: ExperimentAttendance['trials']): {
  readonly failures: number;
  readonly longest: number;
} {
  let failures = 0;
  let longest = 0;
  for (const { state } of trials) {
    if (state === 'failed') failures++;
    if (state !== 'succeeded') continue;
    longest = Math.max(longest, failures);
    failures = 0;
  }
  return { failures, longest };
}
