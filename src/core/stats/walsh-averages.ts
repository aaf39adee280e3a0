/**
 * The averages of all pairs of values, each value with itself too (Walsh 1949), without ever writing them down: there
 * are n (n + 1) / 2 of them, but in a sorted list they are counted in one pass.
 */
export interface WalshAverages {
  readonly count: number;
  atMost(limit: number): number;
  below(limit: number): number;
  /** The average at `position`, from 0, in ascending order. */
  at(position: number): number;
}

/** The values must be finite. */
export function walshAverages(values: Float64Array): WalshAverages {
  const sorted = values.slice().sort();
  const count = (sorted.length * (sorted.length + 1)) / 2;
  const atMost = (limit: number) => countPairs(sorted, (average) => average <= limit);
  return {
    count,
    atMost,
    below: (limit) => countPairs(sorted, (average) => average < limit),
    at: (position) => smallestWith(sorted, (limit) => atMost(limit) > position),
  };
}

/** While one end of the pair moves up, the other only moves down. */
function countPairs(sorted: Float64Array, isCounted: (average: number) => boolean): number {
  let count = 0;
  let last = sorted.length - 1;
  for (let first = 0; first < sorted.length; first++) {
    while (last >= first && !isCounted(average(sorted, first, last))) last--;
    if (last < first) break;
    count += last - first + 1;
  }
  return count;
}

/** Halves the numbers between the smallest and the largest value until two neighbours are left. */
function smallestWith(sorted: Float64Array, holds: (limit: number) => boolean): number {
  let low = sorted[0] ?? Number.NaN;
  let high = sorted[sorted.length - 1] ?? Number.NaN;
  if (holds(low)) return low;
  for (;;) {
    const middle = low / 2 + high / 2;
    if (!(middle > low && middle < high)) return high;
    if (holds(middle)) high = middle;
    else low = middle;
  }
}

function average(sorted: Float64Array, first: number, last: number): number {
  return (sorted[first] ?? 0) / 2 + (sorted[last] ?? 0) / 2;
}
