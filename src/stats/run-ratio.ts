/** Part of the pairs that is left out at either end. */
const TRIM = 0.2;

/**
 * One number for one run: the trimmed mean of the log ratios of its pairs, a fifth left out at either end. As sharp as
 * the mean where noise is normal, and a burst that hits one side only does not dominate the run.
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

/** Values with their weights, put into another order by selecting. */
export interface Weighted {
  readonly values: Float64Array;
  readonly weights: Float64Array;
}

/** A value at which a sum of weights is reached when values are taken by size. */
export interface Selected {
  readonly value: number;
  /** Weight of all values below it, and of those equal to it. */
  readonly below: number;
  readonly equal: number;
}

/**
 * The value that holds `target` of the weight, by partitions around pivots (Hoare's selection): linear on average,
 * where sorting by a comparison function would take most of the time of an analysis. Changes the order of both columns.
 */
export function selectByWeight(all: Weighted, target: number): Selected {
  const { values, weights } = all;
  let [from, to, below] = [0, values.length, 0];
  for (;;) {
    const pivot = pivotOf(values, from, to);
    const { less, greater } = partition(all, pivot, { from, to });
    const lighter = below + sum(weights, from, less);
    const equal = sum(weights, less, greater);
    if (lighter > target && less > from) to = less;
    else if (lighter + equal > target || greater === to) return { value: pivot, below: lighter, equal };
    else {
      below = lighter + equal;
      from = greater;
    }
  }
}

interface Part {
  readonly from: number;
  readonly to: number;
}

/** Moves what is less than the pivot to the front and what is greater to the end of the part (Dijkstra's flag). */
function partition(all: Weighted, pivot: number, { from, to }: Part) {
  let [less, greater] = [from, to];
  for (let i = from; i < greater; ) {
    const value = all.values[i] as number; // within the part
    if (value < pivot) swap(all, less++, i++);
    else if (value > pivot) swap(all, i, --greater);
    else i++;
  }
  return { less, greater };
}

function swap({ values, weights }: Weighted, i: number, j: number): void {
  const [value, weight] = [values[i] as number, weights[i] as number];
  values[i] = values[j] as number;
  weights[i] = weights[j] as number;
  values[j] = value;
  weights[j] = weight;
}

/** The middle one of first, middle and last: sorted input would make any fixed place the worst. */
function pivotOf(values: Float64Array, from: number, to: number): number {
  const [a, b, c] = [values[from], values[(from + to) >> 1], values[to - 1]] as [number, number, number];
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function sum(weights: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += weights[i] as number;
  return total;
}
