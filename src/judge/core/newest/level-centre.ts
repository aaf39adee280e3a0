import { medianAbsoluteDeviation } from '../../../stats/robust-estimates.ts';
import { mean, median } from '../../../stats/summary.ts';

/**
 * Centre of values of one level: the mean of those near the median, the others drawn in to 2.5 deviations. Nearly as
 * good as the mean for normal values, and an outlier moves it by no more than a usual value does.
 */
export function levelCentre(values: Float64Array): number {
  // Of four values or fewer none can be called the outlier.
  if (values.length < 5) return mean(values);
  const middle = median(values);
  const reach = 2.5 * medianAbsoluteDeviation(values);
  return mean(values.map((value) => Math.min(middle + reach, Math.max(middle - reach, value))));
}

/** Centre of new values: of three or more the median, since one of them may be an outlier. */
export function newCentre(values: Float64Array): number {
  return values.length < 3 ? mean(values) : median(values);
}
