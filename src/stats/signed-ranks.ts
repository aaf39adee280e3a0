import { normalCdf, normalQuantile } from './distributions.ts';
import { pseudoMedian, walshAverage, walshCount } from './hodges-lehmann.ts';
import type { Interval } from './interval.ts';
import { mergeRanks } from './merged-ranks.ts';
import { negated } from './pairwise-selection.ts';
import { signedRankCounts } from './rank-counts.ts';
import { type Numbers, requireFinite, requireLevel } from './requirements.ts';

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
  if (n === values.length && tied === 0 && n <= EXACT_UP_TO) {
    return { w, p: Math.min(1, 2 * lowerTail(n, w)), method: 'exact' };
  }
  const variance = (n * (n + 1) * (2 * n + 1) - tied / 2) / 24;
  const p = variance > 0 ? Math.min(1, 2 * normalCdf((w - walshCount(n) / 2) / Math.sqrt(variance))) : 1;
  return { w, p, method: 'normal' };
}

/**
 * Hodges-Lehmann centre between two means of pairs. Up to 50 values the ranks of the two are exact and the level
 * given back is the one reached: at least the one asked for, or all that so few values can give. Beyond, they are
 * those of the normal approximation, and the level is the one asked for.
 */
export function signedRankInterval(values: Numbers, level: number): PseudoMedian {
  requireFinite(values);
  requireLevel(level);
  const n = values.length;
  const { rank, reached } =
    n <= EXACT_UP_TO ? exactRank(n, level) : { rank: normalRank(n, level), reached: level };
  return {
    estimate: pseudoMedian(values),
    low: walshAverage(values, rank),
    high: walshAverage(values, walshCount(n) + 1 - rank),
    level: reached,
  };
}

const EXACT_UP_TO = 50;

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
