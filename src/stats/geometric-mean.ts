import { NightmarkError } from '../platform/core/errors.ts';
import { isConstant } from './moments.ts';
import { type Numbers, requireFinite } from './requirements.ts';
import { mean } from './summary.ts';

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
