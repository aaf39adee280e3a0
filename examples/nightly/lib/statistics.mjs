/** Mean, median, population deviation and count of some numbers. */
export function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  const std = Math.sqrt(sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / sorted.length);
  return { mean: short(mean), median: short(median), std: short(std), n: sorted.length };
}

/** Five significant digits: more would be noise, and the files stay small. */
function short(value) {
  return Number(value.toPrecision(5));
}
