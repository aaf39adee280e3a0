import { type Interval, normalCdf, normalQuantile } from './distributions.ts';
import { type Numbers, requireFinite, requireLevel } from './requirements.ts';
import { negated, pseudoMedian, walshAverage, walshCount } from './robust-estimates.ts';
import { sortedCopy } from './summary.ts';

/** Whether values, such as differences of pairs, lie around 0 (Wilcoxon, 1945). */
export interface SignedRankTest {
  /** The smaller of the rank sums of positive and of negative values. */
  readonly w: number;
  /** Two-sided. */
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/** The centre that signed ranks speak of, with its interval. */
export interface PseudoMedian extends Interval {
  readonly estimate: number;
}

/**
 * Exact up to 50 values when none is 0 and no two have the same size. Otherwise zeros are left out, and the sum is
 * taken as normal with a correction for ties and none for continuity, as scipy.stats.wilcoxon does.
 */
export function signedRankTest(values: Numbers): SignedRankTest {
  requireFinite(values);
  const { n, plus, tied } = signedRanks(values);
  const w = Math.min(plus, walshCount(n) - plus);
  if (n === values.length && tied === 0 && n <= EXACT_SIGNED_RANKS) {
    return { w, p: Math.min(1, 2 * lowerTail(n, w)), method: 'exact' };
  }
  const variance = (n * (n + 1) * (2 * n + 1) - tied / 2) / 24;
  const p = variance > 0 ? Math.min(1, 2 * normalCdf((w - walshCount(n) / 2) / Math.sqrt(variance))) : 1;
  return { w, p, method: 'normal' };
}

/**
 * Hodges-Lehmann centre between two means of pairs. Up to 50 values the ranks of the two are exact and the level
 * given back is the one reached: at least the requested one, or all that so few values can give. Beyond, they are
 * those of the normal approximation, and the level is the requested one.
 */
export function signedRankInterval(values: Numbers, level: number): PseudoMedian {
  requireFinite(values);
  requireLevel(level);
  const n = values.length;
  const { rank, reached } =
    n <= EXACT_SIGNED_RANKS ? exactRank(n, level) : { rank: normalRank(n, level), reached: level };
  return {
    estimate: pseudoMedian(values),
    low: walshAverage(values, rank),
    high: walshAverage(values, walshCount(n) + 1 - rank),
    level: reached,
  };
}

const EXACT_SIGNED_RANKS = 50;

/** Number of values that are not 0, the rank sum of the positive ones, and t^3 - t over groups of equal size. */
function signedRanks(values: Numbers): { n: number; plus: number; tied: number } {
  const typed = new Float64Array(values);
  const positive = typed.filter((value) => value > 0).sort();
  const negative = negated(typed.filter((value) => value < 0).sort());
  const { u, tied } = mergeRanks(positive, negative);
  return { n: positive.length + negative.length, plus: u + walshCount(positive.length), tied };
}

/** Probability that the sum of positive ranks is at most `w`. */
function lowerTail(n: number, w: number): number {
  let tail = 0;
  for (const count of signedRankCounts(n, w)) tail += count;
  return tail / 2 ** n;
}

/** The largest rank that leaves at most half of 1 - level below it; 1 if none does. */
function exactRank(n: number, level: number): { rank: number; reached: number } {
  const counts = signedRankCounts(n, Math.floor(walshCount(n) / 2));
  const allowed = ((1 - level) / 2) * 2 ** n;
  let [rank, tail] = [1, counts[0] ?? 1];
  while (rank < counts.length && tail + (counts[rank] ?? 0) <= allowed) tail += counts[rank++] ?? 0;
  return { rank, reached: Math.max(0, 1 - (2 * tail) / 2 ** n) };
}

function normalRank(n: number, level: number): number {
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  return Math.max(1, Math.floor(walshCount(n) / 2 - normalQuantile((1 + level) / 2) * deviation));
}

/** Whether one of two independent samples tends to be larger. */
export interface MannWhitney {
  /** Pairs in which `a` is the larger, ties counting half. */
  readonly u: number;
  /** Two-sided, that both come from one distribution. */
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/**
 * The choices are those of scipy.stats.mannwhitneyu: exact when nothing is tied and one sample has at most 8 values,
 * otherwise normal with corrections for ties and continuity. Sorts, then merges: n log n.
 */
export function mannWhitney(a: Numbers, b: Numbers): MannWhitney {
  requireFinite(a);
  requireFinite(b);
  const { u, tied } = mergeRanks(sortedCopy(a), sortedCopy(b));
  const sizes = { m: Math.min(a.length, b.length), n: Math.max(a.length, b.length) };
  const lower = Math.min(u, a.length * b.length - u);
  return sizes.m <= EXACT_RANK_SUM && tied === 0
    ? { u, p: exactP(sizes, lower), method: 'exact' }
    : { u, p: normalP(sizes, lower, tied), method: 'normal' };
}

interface Sizes {
  readonly m: number;
  readonly n: number;
}

const EXACT_RANK_SUM = 8;

function exactP({ m, n }: Sizes, lower: number): number {
  const counts = rankSumCounts(m, n, lower);
  let ways = 1;
  for (let i = 1; i <= m; i++) ways *= (n + i) / i;
  let tail = 0;
  for (const count of counts) tail += count;
  return Math.min(1, (2 * tail) / ways);
}

function normalP({ m, n }: Sizes, lower: number, tied: number): number {
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - tied / (all * (all - 1)));
  // All values equal: nothing speaks for a difference.
  if (!(variance > 0)) return 1;
  const z = (lower + 0.5 - (m * n) / 2) / Math.sqrt(variance);
  return Math.min(1, 2 * normalCdf(z));
}

/**
 * What the signed-rank sum of n values does when their signs are tosses of a coin (Wilcoxon 1945): the number of Walsh
 * averages at or below the centre of symmetry has this distribution, whatever the values are.
 */
export interface SignedRankNull {
  /** Probability of at most `sum`. */
  atMost(sum: number): number;
  /** The largest sum whose probability of at most it is no more than `p`; -1 when there is none. */
  largestWithin(p: number): number;
}

/** Exact up to here: 5,050 sums, a millisecond; beyond it the normal form is right to four digits of the probability. */
const EXACT_NULL = 100;

const known = new Map<number, SignedRankNull>();

/** The distribution for `n` values; computed once for each n. */
export function signedRankNull(n: number): SignedRankNull {
  const before = known.get(n);
  if (before !== undefined) return before;
  const made = n <= EXACT_NULL ? exact(n) : normal(n);
  known.set(n, made);
  return made;
}

function exact(n: number): SignedRankNull {
  const cumulative = signedRankCounts(n, (n * (n + 1)) / 2);
  let total = 0;
  for (const [sum, count] of cumulative.entries()) {
    total += count;
    cumulative[sum] = total / 2 ** n;
  }
  return {
    atMost: (sum) => (sum < 0 ? 0 : (cumulative[Math.min(Math.floor(sum), cumulative.length - 1)] ?? 1)),
    largestWithin: (p) => firstAbove(p, (sum) => cumulative[sum] ?? 1) - 1,
  };
}

function normal(n: number): SignedRankNull {
  const mean = (n * (n + 1)) / 4;
  const deviation = Math.sqrt((mean * (2 * n + 1)) / 6);
  const atMost = (sum: number) => normalCdf((Math.floor(sum) + 0.5 - mean) / deviation);
  return { atMost, largestWithin: (p) => firstAbove(p, atMost, 2 * mean) - 1 };
}

/** The smallest sum whose probability is above `p`, by halving: probabilities only grow. */
function firstAbove(p: number, atMost: (sum: number) => number, top = 2 ** 30): number {
  // Levels come from these very probabilities through 1 - p and back: a last digit must not cost a step.
  const limit = p * (1 + 1e-9);
  let low = 0;
  let high = top;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (atMost(middle) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What rank tests need to know of two lists together. */
export interface MergedRanks {
  /** Pairs in which the value of the first list is the larger, ties counting half. */
  readonly u: number;
  /** Sum of t^3 - t over all groups of t equal values, of both lists; 0 without ties. */
  readonly tied: number;
}

/** Walks through two ascending lists at once. */
function mergeRanks(a: Float64Array, b: Float64Array): MergedRanks {
  let [u, tied, i, j] = [0, 0, 0, 0];
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    const [startA, startB] = [i, j];
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    u += (i - startA) * (startB + (j - startB) / 2);
    const together = i - startA + j - startB;
    tied += together ** 3 - together;
  }
  return { u, tied };
}

/**
 * Number of ways in which Mann and Whitney's U of `m` and `n` distinct values is 0, 1 .. `top`, at most half of m n.
 * They are the coefficients of the Gaussian binomial: multiply by 1 - q^(n+i), divide by 1 - q^i, for i = 1 .. m.
 * Every step has positive whole coefficients, exact below 2^53; beyond, in the lower half, rounding stays relative.
 */
function rankSumCounts(m: number, n: number, top: number): Float64Array {
  const counts = new Float64Array(top + 1);
  counts[0] = 1;
  for (let i = 1; i <= m; i++) {
    for (let u = top; u >= n + i; u--) counts[u] = at(counts, u) - at(counts, u - n - i);
    for (let u = i; u <= top; u++) counts[u] = at(counts, u) + at(counts, u - i);
  }
  return counts;
}

/** Number of ways in which the ranks 1 .. n with free signs have positive ones that sum to 0, 1 .. `top`. */
function signedRankCounts(n: number, top: number): Float64Array {
  const counts = new Float64Array(top + 1);
  counts[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let w = top; w >= rank; w--) counts[w] = at(counts, w) + at(counts, w - rank);
  }
  return counts;
}

function at(counts: Float64Array, index: number): number {
  return counts[index] as number; // the loops above stay within 0 .. top
}
