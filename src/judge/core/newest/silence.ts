import { median } from '../../../stats/summary.ts';
import { MISSING_DEFAULTS, type MissingOptions } from './missing.ts';

export interface Comings {
  /** When it came, oldest first. */
  readonly times: readonly number[];
  /** When anything else came to the home. */
  readonly others: readonly number[];
}

/** Newer things than this, and much more time than its pace: it was never followed, or is forgotten on purpose. */
const FORGOTTEN = { runs: 30, patiences: 4 };

/**
 * Whether something that came at a pace of its own stays away while the home goes on. The clock is no witness: a home that
 * nobody uses, or old results that were copied into one, are no absence.
 */
export function isSilent({ times, others }: Comings, options: Partial<MissingOptions> = {}): boolean {
  const { runs, cadences } = { ...MISSING_DEFAULTS, ...options };
  const last = times.at(-1);
  const gaps = times
    .slice(1)
    .flatMap((at, place) => (at > (times[place] ?? at) ? [at - (times[place] ?? at)] : []));
  // What was there once may never have been meant to come again.
  if (last === undefined || gaps.length === 0) return false;
  const newer = others.filter((at) => at > last);
  const silence = newer.reduce((longest, at) => Math.max(longest, at - last), 0);
  const patience = Math.max(cadences * median(gaps), 2 * Math.max(...gaps));
  const isForgotten = newer.length > FORGOTTEN.runs && silence > FORGOTTEN.patiences * patience;
  return newer.length >= runs && silence >= patience && !isForgotten;
}
