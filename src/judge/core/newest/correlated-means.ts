/** Variances, in units of that of one value, when each value resembles the one before it. */
export interface MeanVariances {
  /** Of the mean of the history. */
  readonly history: number;
  /** Of the difference between the mean of the newest values and that of the history right before them. */
  readonly difference: number;
}

/** For a process whose correlation falls by the same factor with each step (AR(1)). */
export function meanVariances(history: number, newest: number, correlation: number): MeanVariances {
  const before = varianceOfMean(history, correlation);
  const after = varianceOfMean(newest, correlation);
  return { history: before, difference: before + after - 2 * covariance(history, newest, correlation) };
}

/** (1 + 2 sum of (1 - k/n) rho^k) / n. */
function varianceOfMean(count: number, rho: number): number {
  if (rho === 0) return 1 / count;
  const power = rho ** count;
  const sum = rho / (1 - rho) - (rho * (1 - power)) / (count * (1 - rho) ** 2);
  return (1 + 2 * sum) / count;
}

/** Mean of rho^(i + j + 1) over both sides: two geometric sums. */
function covariance(history: number, newest: number, rho: number): number {
  if (rho === 0) return 0;
  const sum = (count: number) => (1 - rho ** count) / (1 - rho);
  return (rho * sum(history) * sum(newest)) / (history * newest);
}

/**
 * Correlation of neighbours, drawn towards what nights commonly show: with few values nothing is known of it.
 * Never negative: a series that alternates is not easier to predict than one that does not.
 */
export function neighbourCorrelation(residuals: Float64Array): number {
  let products = 0;
  let squares = 0;
  for (let index = 0; index < residuals.length; index++) {
    const residual = residuals[index] ?? 0;
    squares += residual * residual;
    if (index > 0) products += residual * (residuals[index - 1] ?? 0);
  }
  const n = residuals.length;
  // Residuals around their own mean lean to the negative, by about 1 / n.
  const seen = squares > 0 ? products / squares + 1 / n : 0;
  const drawn = (n * seen + COMMON_WEIGHT * COMMON) / (n + COMMON_WEIGHT);
  return Math.min(0.9, Math.max(0, drawn));
}

const COMMON = 0.25;
const COMMON_WEIGHT = 12;
