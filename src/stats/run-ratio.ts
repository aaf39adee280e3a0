import { selectByWeight } from './weighted-select.ts';

/** Part of the pairs that is left out at either end. */
const TRIM = 0.2;

/**
 * One number for one run: the trimmed mean of the log ratios of its pairs, a fifth left out at either end. As sharp as
 * the mean where noise is normal, and a burst that hits one side only does not carry the run away.
 * Weights (overlap of the pair, say) count as that many equal pairs; without them every pair counts as one.
 */
export function runLogRatio(logRatios: Float64Array, weights?: Float64Array): number {
  const all = {
    values: logRatios.slice(),
    weights: weights?.slice() ?? new Float64Array(logRatios.length).fill(1),
  };
  let total = 0;
  for (const weight of all.weights) total += weight;
  const cut = TRIM * total;
  const low = selectByWeight(all, cut);
  const high = selectByWeight(all, total - cut);
  // Distances from one of the values are summed, so that equal values have exactly that mean.
  let distance = (high.value - low.value) * Math.max(0, total - cut - high.below);
  for (let i = 0; i < all.values.length; i++) {
    const value = all.values[i] as number; // both columns are as long
    if (value > low.value && value < high.value) distance += (all.weights[i] as number) * (value - low.value);
  }
  return low.value + distance / (total - 2 * cut);
}
