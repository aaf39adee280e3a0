import { median } from '../../src/stats/summary.ts';

/**
 * Levels of a history by least absolute deviations: the partition into stretches of at least SHORTEST points with the
 * smallest sum of distances to their medians plus a price for each stretch. Exact, slow (cubic) and on purpose another
 * method than the detector under test: its mistakes are not the detector's. Gives the level of each point.
 */
export function fitLevels(values: Float64Array, price: number): Float64Array {
  const n = values.length;
  const steps = Float64Array.from({ length: n - 1 }, (_, i) =>
    Math.abs((values[i + 1] ?? 0) - (values[i] ?? 0)),
  );
  // Median distance of neighbours over that of a point from its level: sqrt(2) for normal noise.
  const penalty = (price * Math.log(n) * median(steps)) / Math.SQRT2;
  const best = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(n + 1);
  best[0] = 0;
  for (let from = 0; from + SHORTEST <= n; from++) {
    const base = best[from] ?? 0;
    if (base === Number.POSITIVE_INFINITY) continue;
    distances(values, from, (end, distance) => {
      if (end - from < SHORTEST || base + distance + penalty >= (best[end] ?? 0)) return;
      best[end] = base + distance + penalty;
      previous[end] = from;
    });
  }
  return medians(values, previous);
}

/** Shortest stretch that is called a level; shorter excursions stay in the noise. */
const SHORTEST = 8;

/** Sum of distances from the median of values[from, end), for each end. */
function distances(values: Float64Array, from: number, tell: (end: number, distance: number) => void): void {
  const sorted: number[] = [];
  let total = 0;
  for (let end = from + 1; end <= values.length; end++) {
    const value = values[end - 1] ?? 0;
    // A new value adds its distance to the old median; the median moves without a change of the rest but by this.
    const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? value, sorted[sorted.length >> 1] ?? value];
    total += value < low ? low - value : value > high ? value - high : 0;
    const at = sorted.findIndex((other) => other > value);
    sorted.splice(at < 0 ? sorted.length : at, 0, value);
    tell(end, total);
  }
}

function medians(values: Float64Array, previous: Int32Array): Float64Array {
  const levels = new Float64Array(values.length);
  for (let end = values.length; end > 0; end = previous[end] ?? 0)
    levels.fill(median(values.subarray(previous[end], end)), previous[end], end);
  return levels;
}
