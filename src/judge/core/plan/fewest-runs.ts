/** With fewer, an answer rests on the shape of the noise alone; see docs/statistics.md, "The verdict". */
export const LEAST_RUNS = 5;
/** Nobody runs more; what needs them cannot be seen. */
export const MOST_RUNS = 100_000;

/** The smallest number of runs with at least that power, by doubling and halving; undefined beyond MOST_RUNS. */
export function fewestRuns(powerOf: (runs: number) => number, power: number): number | undefined {
  let low = LEAST_RUNS - 1;
  let high = LEAST_RUNS;
  while (powerOf(high) < power) {
    if (high === MOST_RUNS) return undefined;
    low = high;
    high = Math.min(MOST_RUNS, high * 2);
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (powerOf(middle) < power) low = middle;
    else high = middle;
  }
  return high;
}

/** The smallest effect on the scale of logarithms that is found with that power; undefined beyond a factor of e^5. */
export function smallestEffect(powerOf: (effect: number) => number, power: number): number | undefined {
  let [low, high] = [0, 5];
  if (powerOf(high) < power) return undefined;
  // Relative precision of 1e-4 is far finer than what is shown.
  while (high - low > 1e-4 * high) {
    const middle = (low + high) / 2;
    if (powerOf(middle) < power) low = middle;
    else high = middle;
  }
  return high;
}
