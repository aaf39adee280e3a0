import type { Shift } from '../../../home/core/changes/change.ts';
import { studentQuantile } from '../../../stats/distributions.ts';
import { inflation } from './correlation.ts';
import type { RobustMean } from './robust-mean.ts';

/**
 * How far it is from one level to the next, by Welch's interval. Points that resemble their neighbours are fewer than
 * they seem; a short level borrows the spread of the other one, as if that were of PRIOR points. Welch's interval takes
 * the place for known: since it was chosen for the difference it makes, the interval is widened by CHOSEN.
 */
export function shiftBetween(before: RobustMean, after: RobustMean, correlation: number): Shift {
  const fewer = inflation(correlation);
  const shared = (before.squares + after.squares) / Math.max(1, before.count + after.count - 2);
  const [one, other] = [errorOf(before, shared, fewer), errorOf(after, shared, fewer)];
  const error = one.error + other.error;
  const difference = after.centre - before.centre;
  const freedom =
    error > 0 ? error ** 2 / (one.error ** 2 / one.freedom + other.error ** 2 / other.freedom) : 1;
  const reach =
    error > 0
      ? CHOSEN * Math.sqrt(error) * studentQuantile((1 + LEVEL) / 2, Math.max(2, freedom / fewer))
      : 0;
  const [low, high] = [difference - reach, difference + reach];
  const base = Math.abs(before.centre);
  const relative = { change: difference / base, low: low / base, high: high / base };
  return { difference, low, high, level: LEVEL, ...(base > 0 ? { relative } : {}) };
}

const LEVEL = 0.95;
const PRIOR = 3;
/** Holds what LEVEL says on noise of real histories (bench/detector). */
const CHOSEN = 1.15;

function errorOf({ squares, count, weight }: RobustMean, shared: number, fewer: number) {
  const freedom = PRIOR + count - 1;
  return { freedom, error: (((PRIOR * shared + squares) / freedom) * fewer) / weight };
}
