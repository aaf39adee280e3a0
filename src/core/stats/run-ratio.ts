/** Part of the pairs that is left out at either end. */
const TRIM = 0.2;

/**
 * One number for one run: the trimmed mean of the log ratios of its pairs, a fifth left out at either end. As sharp as
 * the mean where noise is normal, and a burst that hits one side only does not carry the run away.
 * Weights (overlap of the pair, say) count as that many equal pairs; without them every pair counts as one.
 */
export function runLogRatio(logRatios: Float64Array, weights?: Float64Array): number {
  const order = Uint32Array.from(logRatios.keys()).sort((a, b) => (logRatios[a] ?? 0) - (logRatios[b] ?? 0));
  const total = weights === undefined ? logRatios.length : weights.reduce((sum, weight) => sum + weight, 0);
  const cut = TRIM * total;
  let passed = 0;
  let counted = 0;
  let mean = 0;
  for (const index of order) {
    const next = passed + (weights?.[index] ?? 1);
    const kept = Math.min(next, total - cut) - Math.max(passed, cut);
    if (kept > 0) {
      counted += kept;
      // Step by step, so that equal values have exactly that mean.
      mean += ((logRatios[index] ?? 0) - mean) * (kept / counted);
    }
    passed = next;
  }
  return mean;
}
