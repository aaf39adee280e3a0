import { median } from '../../../stats/summary.ts';

/** When an experiment ran, and when a series of it got a value. */
export interface Attendance {
  readonly runs: readonly { readonly at: number; readonly succeeded: boolean }[];
  /** Times of the runs in which the series was there. */
  readonly seen: readonly number[];
  readonly now: number;
  /** The last time at which the series was there when its absence was reported. */
  readonly reportedAfter?: number;
}

export interface MissingOptions {
  /** Runs of its experiment that succeeded without it. */
  readonly runs: number;
  /** Cadences of the experiment without any run. */
  readonly cadences: number;
}

export const MISSING_DEFAULTS: MissingOptions = { runs: 3, cadences: 3 };

/** A series, or its whole experiment, stopped coming. */
export interface Missing {
  readonly kind: 'series' | 'experiment';
  /** When it was last there: names the absence, so that it is reported once. */
  readonly lastSeen: number;
  /** Runs that succeeded without it, or cadences that went by without a run. */
  readonly missed: number;
  /** Usual time between runs of the experiment, in milliseconds. */
  readonly cadenceMs: number;
}

/** Decides whether a series stopped coming; undefined when it did not, or when that was reported already. */
export function findMissing(
  attendance: Attendance,
  options: Partial<MissingOptions> = {},
): Missing | undefined {
  const chosen = { ...MISSING_DEFAULTS, ...options };
  const seen = [...new Set(attendance.seen)].sort((one, other) => one - other);
  const lastSeen = seen.at(-1);
  // What was there once may never have been meant to come again.
  if (lastSeen === undefined || seen.length < 2) return undefined;
  if (attendance.reportedAfter !== undefined && lastSeen <= attendance.reportedAfter) return undefined;
  const runs = [...attendance.runs].sort((one, other) => one.at - other.at);
  const cadenceMs = median(gapsOf(runs.map(({ at }) => at)));
  const missed = runs.filter(({ at, succeeded }) => succeeded && at > lastSeen).length;
  if (missed >= allowedMisses(runs, seen, chosen.runs))
    return { kind: 'series', lastSeen, missed, cadenceMs };
  const silent = (attendance.now - (runs.at(-1)?.at ?? lastSeen)) / cadenceMs;
  if (!(silent >= chosen.cadences)) return undefined;
  return { kind: 'experiment', lastSeen, missed: Math.floor(silent), cadenceMs };
}

/** A series that is in every seventh run only may be absent for longer: more than it ever was. */
function allowedMisses(
  runs: readonly { readonly at: number; readonly succeeded: boolean }[],
  seen: readonly number[],
  least: number,
): number {
  const present = new Set(seen);
  let absent = 0;
  let longest = 0;
  for (const { at, succeeded } of runs) {
    if (at > (seen.at(-1) ?? at)) break;
    if (present.has(at)) absent = 0;
    else if (succeeded && at > (seen[0] ?? at)) absent++;
    longest = Math.max(longest, absent);
  }
  return Math.max(least, longest + least - 1);
}

/** The newest steps between times, repeated ones left out; the longest possible where there is none. */
function gapsOf(times: readonly number[]): readonly number[] {
  const gaps = times
    .slice(1)
    .map((time, place) => time - (times[place] ?? 0))
    .filter((gap) => gap > 0)
    .slice(-15);
  return gaps.length === 0 ? [Number.POSITIVE_INFINITY] : gaps;
}

export interface Arrivals {
  /** When it came, oldest first. */
  readonly times: readonly number[];
  /** When anything else came to the home. */
  readonly others: readonly number[];
}

/** Newer things than this, and much more time than its pace: it was never followed, or is forgotten on purpose. */
const FORGOTTEN = { runs: 30, times: 4 };

/**
 * Whether something that came at a regular pace is absent while other results go on. The clock does not count: a home that
 * is not used, or old results that were copied into one, are not an absence.
 */
export function isSilent({ times, others }: Arrivals, options: Partial<MissingOptions> = {}): boolean {
  const { runs, cadences } = { ...MISSING_DEFAULTS, ...options };
  const last = times.at(-1);
  const gaps = times
    .slice(1)
    .flatMap((at, place) => (at > (times[place] ?? at) ? [at - (times[place] ?? at)] : []));
  // What was there once may never have been meant to come again.
  if (last === undefined || gaps.length === 0) return false;
  const newer = others.filter((at) => at > last);
  const silence = newer.reduce((longest, at) => Math.max(longest, at - last), 0);
  const allowed = Math.max(cadences * median(gaps), 2 * Math.max(...gaps));
  const isForgotten = newer.length > FORGOTTEN.runs && silence > FORGOTTEN.times * allowed;
  return newer.length >= runs && silence >= allowed && !isForgotten;
}
