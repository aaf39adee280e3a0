import { medianSum, negated, type PairSums, selectSum } from './pairwise-selection.ts';
import { type Numbers, requireFinite } from './requirements.ts';
import { sortedCopy } from './summary.ts';

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
