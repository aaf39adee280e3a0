import { median } from '../../../stats/summary.ts';

/** The median weight; without sorting where all are the same, as they mostly are. */
export function usualWeight(weights: Float64Array): number {
  const first = weights[0] ?? 1;
  return weights.every((weight) => weight === first) ? first : median(weights);
}
