import { NightmarkError } from '../platform/core/errors.ts';
import { bootstrap } from './bootstrap.ts';
import type { Interval } from './distributions.ts';
import { seededRandom } from './random.ts';
import { type Numbers, requireFinite } from './requirements.ts';
import { isConstant, mean, sortedCopy } from './summary.ts';
import { meanTest } from './t-tests.ts';

/** The n-th root of the product of n positive values: the mean of ratios, for which 2 and 1/2 cancel. */
export function geometricMean(values: Numbers): number {
  requirePositive(values);
  return isConstant(values) ? (values[0] ?? 1) : Math.exp(mean(logarithms(values)));
}

/** Natural logarithms of positive values. */
export function logarithms(values: Numbers): Float64Array {
  requirePositive(values);
  const result = new Float64Array(values.length);
  for (let index = 0; index < values.length; index++) result[index] = Math.log(values[index] ?? 1);
  return result;
}

function requirePositive(values: Numbers): void {
  requireFinite(values);
  let count = 0;
  for (const value of values) if (value <= 0) count++;
  if (count === 0) return;
  throw new NightmarkError('STATS_NOT_POSITIVE', `${count} of ${values.length} values are not above 0.`, {
    hint: 'Ratios and their logarithms need positive values: a time of 0 is below what the clock can see.',
  });
}

/** Mean without the least and the greatest values: floor(share n) are left out at each end. */
export function trimmedMean(values: Numbers, share: number): number {
  const { sorted, cut } = cutBoth(values, share);
  return mean(sorted.subarray(cut, sorted.length - cut));
}

/** Mean with the values beyond the cuts replaced by the nearest that stay. */
export function winsorizedMean(values: Numbers, share: number): number {
  const { sorted, cut } = cutBoth(values, share);
  const last = sorted.length - 1 - cut;
  sorted.fill(sorted[cut] ?? 0, 0, cut);
  sorted.fill(sorted[last] ?? 0, last + 1);
  return mean(sorted);
}

function cutBoth(values: Numbers, share: number): { sorted: Float64Array; cut: number } {
  requireFinite(values);
  if (!(share >= 0 && share < 0.5)) {
    throw new NightmarkError('STATS_TRIM', `A share of ${share} cannot be cut off at both ends.`, {
      hint: 'Give a number from 0 to below 0.5, such as 0.1.',
    });
  }
  return { sorted: sortedCopy(values), cut: Math.floor(share * values.length) };
}

/**
 * Mean of the middle half: floor(n / 4) values are left out at each end (scipy's trim_mean at 0.25, which rliable uses).
 * Below four values it is the mean.
 */
export function interquartileMean(values: Numbers): number {
  requireFinite(values);
  return middleMean(new Float64Array(values));
}

/** The same of finite values, which are sorted in place: a band needs it a hundred thousand times. */
export function middleMean(values: Float64Array): number {
  const sorted = values.length <= FEW ? sortFew(values) : values.sort();
  const cut = Math.floor(sorted.length / 4);
  let total = 0;
  for (let at = cut; at < sorted.length - cut; at++) total += sorted[at] as number; // at < length
  return total / (sorted.length - 2 * cut);
}

/**
 * Its interval over seeds, of which it needs two; the same values always give the same one. By resampling; but fewer than
 * eight values know too little of their own spread for that, and have Student's limits around it: they hold 95 % in 92
 * to 96 of 100 samples, where resampling does in 50 (2 values) to 91 (6). docs/statistics.md has the table.
 */
export function interquartileInterval(values: Numbers, level = 0.95): Interval {
  if (values.length >= ENOUGH_TO_RESAMPLE)
    return bootstrap(new Float64Array(values), interquartileMean, { level, random: seededRandom(SEED) });
  const centre = interquartileMean(values);
  const { low, high } = meanTest(values, { level });
  return { low: centre - (high - low) / 2, high: centre + (high - low) / 2, level };
}

const SEED = 1;
const ENOUGH_TO_RESAMPLE = 8;

/** Below it, the general sort takes longer to begin than this one to end. */
const FEW = 32;

function sortFew(values: Float64Array): Float64Array {
  for (let next = 1; next < values.length; next++) {
    const value = values[next] as number; // next < length
    let at = next;
    for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  return values;
}
