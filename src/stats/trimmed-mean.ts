import { NightmarkError } from '../platform/core/errors.ts';
import { type Numbers, requireFinite } from './requirements.ts';
import { mean, sortedCopy } from './summary.ts';

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
