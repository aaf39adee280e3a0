import { type Numbers, requireFinite } from './requirements.ts';
import { median, sortedCopy } from './summary.ts';

/** Median of the means of all pairs, each value with itself too: the centre that belongs to signed ranks. */
export function pseudoMedian(values: Numbers): number {
  requireFinite(values);
  return medianSum(walshSums(values), walshCount(values.length));
}

/** Median of all differences b - a: by how much B lies above A, as rank tests see it. */
export function medianShift(a: Numbers, b: Numbers): number {
  requireFinite(a);
  requireFinite(b);
  return medianSum({ a: negated(sortedCopy(a)), b: sortedCopy(b), firstOf: () => 0 }, a.length * b.length);
}

/** Mean of a pair of rank `rank` (from 1) among all n (n + 1) / 2 of them. */
export function walshAverage(values: Numbers, rank: number): number {
  requireFinite(values);
  return selectSum(walshSums(values), rank);
}

/** Number of pairs of n values, each with itself too. */
export function walshCount(n: number): number {
  return (n * (n + 1)) / 2;
}

function walshSums(values: Numbers): PairSums {
  const halves = sortedCopy(values).map((value) => value / 2); // halved first, so that no sum is infinite
  return { a: halves, b: halves, firstOf: (row) => row };
}

/** Median distance from the median, times 1.4826 so that normal values give their standard deviation. */
export function medianAbsoluteDeviation(values: Numbers): number {
  requireFinite(values);
  const centre = median(values);
  const distances = new Float64Array(values.length);
  for (let index = 0; index < values.length; index++)
    distances[index] = Math.abs((values[index] ?? 0) - centre);
  return median(distances) * MAD_FACTOR;
}

/**
 * Qn of Rousseeuw and Croux (1993): about the lower quarter of all distances between two values. As robust as the
 * median deviation, but needs no centre and wastes less of normal data (82 % efficient, against 37 %).
 * The factor is that of large samples; there is no correction for small ones.
 */
export function qnScale(values: Numbers): number {
  requireFinite(values, 2);
  const n = values.length;
  const sorted = sortedCopy(values);
  const half = Math.floor(n / 2) + 1;
  const rank = (half * (half - 1)) / 2;
  // Row i holds -sorted[n - 1 - i]; differences with later values only are all distances once.
  return selectSum({ a: negated(sorted), b: sorted, firstOf: (row) => n - row }, rank) * QN_FACTOR;
}

/** 1 / normalQuantile(3/4). */
const MAD_FACTOR = 1.482602218505602;
/** 1 / (sqrt(2) normalQuantile(5/8)). */
const QN_FACTOR = 2.219144465985076;

/** Sums a[i] + b[j] of which one is selected: both lists ascending, in row i only j >= firstOf(i). */
export interface PairSums {
  readonly a: Float64Array;
  readonly b: Float64Array;
  firstOf(row: number): number;
}

/**
 * The sum of rank `rank` (from 1) without building them: halve the range of values, count the sums up to the middle
 * by walking down the staircase, and let both ends snap to sums that exist. Each round is linear, and there are
 * about as many as a number has bits.
 */
function selectSum(sums: PairSums, rank: number): number {
  let { low, high } = extremes(sums);
  while (low < high) {
    const { count, below, above } = countUpTo(sums, between(low, high));
    if (count >= rank) high = below;
    else low = above;
  }
  return high;
}

/** Median of all `count` sums. */
function medianSum(sums: PairSums, count: number): number {
  const high = selectSum(sums, Math.floor(count / 2) + 1);
  if (count % 2 === 1) return high;
  const low = selectSum(sums, count / 2);
  const both = low + high;
  return Number.isFinite(both) ? both / 2 : low / 2 + high / 2;
}

/** The values with their signs turned, ascending again. */
export function negated(sorted: Float64Array): Float64Array {
  const result = new Float64Array(sorted.length);
  for (let index = 0; index < sorted.length; index++)
    result[sorted.length - 1 - index] = -(sorted[index] ?? 0);
  return result;
}

/** A number from `low` to below `high`: the middle, unless that rounds up to `high` or leaves the range. */
function between(low: number, high: number): number {
  const from = Math.max(low, -Number.MAX_VALUE);
  const to = Math.min(high, Number.MAX_VALUE);
  const middle = Number.isFinite(to - from) ? from + (to - from) / 2 : from / 2 + to / 2;
  return middle < high ? middle : low;
}

/** How many sums are at most `limit`, the greatest of those, and the least of the others. */
function countUpTo({ a, b, firstOf }: PairSums, limit: number) {
  let count = 0;
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  let end = b.length; // rows ascend, so what is too large for a row is too large for all later ones
  for (let row = 0; row < a.length; row++) {
    const left = a[row] as number; // row < a.length
    while (end > 0 && left + (b[end - 1] as number) > limit) end--; // end - 1 < b.length
    const first = firstOf(row);
    const next = Math.max(end, first);
    if (end > first) {
      count += end - first;
      below = Math.max(below, left + (b[end - 1] as number));
    }
    if (next < b.length) above = Math.min(above, left + (b[next] as number)); // next < b.length
  }
  return { count, below, above };
}

function extremes(sums: PairSums): { low: number; high: number } {
  const { below } = countUpTo(sums, Number.POSITIVE_INFINITY);
  const { above } = countUpTo(sums, Number.NEGATIVE_INFINITY);
  return { low: above, high: below };
}
