import { normalQuantile } from './distributions.ts';
import { signedRankNull } from './rank-tests.ts';
import { pseudoMedian, walshAverage, walshCount } from './robust-estimates.ts';
import { isConstant, sortedCopy } from './summary.ts';
import { meanTest, welchTest } from './t-tests.ts';

/** Limits between which the centre of the values lies; `alpha` is the chance that it does not, both sides together. */
export interface Limits {
  readonly low: number;
  readonly high: number;
}

/** What is estimated: the median of the means of all pairs of values, or the difference of two means. */
export type Estimand = 'pseudo-median' | 'mean';

/** Where the values have their middle, and how sure that is. */
export interface Centre {
  /** none: all values are equal, so the noise is unknown. */
  readonly method: 'ranks' | 'student' | 'welch' | 'none';
  readonly estimand: Estimand;
  /** False when equal values are too few for their agreement to mean anything. */
  readonly canDecide: boolean;
  readonly centre: number;
  /** Two-sided, that the true centre is `value`; at most alpha exactly when the limits for alpha leave it out. */
  pOf(value: number): number;
  limits(alpha: number): Limits;
}

/**
 * The centre of one sample is its pseudo-median, however many values there are. Its limits are those of the signed-rank
 * test, right for any symmetric noise, however heavy its tails; with so few values that ranks know only coarse
 * probabilities, those of Student. docs/statistics.md, "The verdict", says how the simulations led to this.
 */
export function centreOf(values: Float64Array, alpha: number): Centre {
  if (isConstant(values)) return byAgreement(values, alpha);
  return ranksFit(values.length, alpha) ? byRanks(values) : byStudent(values);
}

/** How far the mean of `b` lies above that of `a`, two independent samples of at least two values each: Welch's. */
export function differenceOf(a: Float64Array, b: Float64Array): Centre {
  return {
    method: 'welch',
    estimand: 'mean',
    canDecide: true,
    centre: welchTest(b, a, { level: 0.5 }).estimate,
    pOf: (center) => welchTest(b, a, { level: 0.5, center }).p,
    limits: (alpha) => welchTest(b, a, { level: 1 - alpha }),
  };
}

/** The same with limits `factor` times as far from the centre, and the p that belongs to them. */
export function widened(found: Centre, factor: number): Centre {
  if (factor === 1) return found;
  const { centre } = found;
  return {
    ...found,
    pOf: (value) => found.pOf(centre - (centre - value) / factor),
    limits: (alpha) => {
      const { low, high } = found.limits(alpha);
      return { low: centre - factor * (centre - low), high: centre + factor * (high - centre) };
    },
  };
}

/**
 * Probabilities of ranks come in steps of at least 2^(1 - n). Sixteen such steps within alpha waste little of it:
 * that is from 10 values on at 5 %, from 12 on at 1 %.
 */
export function ranksFit(n: number, alpha: number): boolean {
  return 2 ** (1 - n) <= alpha / 16;
}

/** The largest probability of a false alarm, no more than `alpha`, that the test of `n` values can have. */
export function attainableAlpha(n: number, alpha: number): number {
  if (!ranksFit(n, alpha)) return alpha;
  const distribution = signedRankNull(n);
  const reached = 2 * distribution.atMost(distribution.largestWithin(alpha / 2));
  // At the level reached, ranks must still be what is used.
  return ranksFit(n, reached) ? reached : alpha;
}

/** How far from 0 a standard normal value is that is as unlikely as `p`, both sides together. */
export function normalDeviate(p: number): number {
  return -normalQuantile(p / 2);
}

function byRanks(values: Float64Array): Centre {
  const distribution = signedRankNull(values.length);
  return {
    method: 'ranks',
    estimand: 'pseudo-median',
    canDecide: true,
    centre: pseudoMedian(values),
    pOf: (value) => {
      const from = values.map((one) => one - value);
      // Averages that are 0 count against a difference on both sides: with ties the test only gets more careful.
      const against = Math.min(averagesUpToZero(from), averagesUpToZero(from.map((one) => -one)));
      return Math.min(1, 2 * distribution.atMost(against));
    },
    limits: (alpha) => {
      const rank = Math.max(0, distribution.largestWithin(alpha / 2)) + 1;
      const last = walshCount(values.length) + 1;
      return { low: walshAverage(values, rank), high: walshAverage(values, last - rank) };
    },
  };
}

/** How many averages of pairs, each value with itself too, are at most 0: while one end moves up, the other moves down. */
function averagesUpToZero(values: Float64Array): number {
  const sorted = sortedCopy(values);
  let count = 0;
  let last = sorted.length - 1;
  for (let first = 0; first <= last; first++) {
    while (last >= first && (sorted[first] ?? 0) + (sorted[last] ?? 0) > 0) last--;
    count += last - first + 1;
  }
  return count;
}

function byStudent(values: Float64Array): Centre {
  return {
    method: 'student',
    estimand: 'pseudo-median',
    canDecide: true,
    centre: pseudoMedian(values),
    pOf: (center) => meanTest(values, { level: 0.5, center }).p,
    limits: (alpha) => meanTest(values, { level: 1 - alpha }),
  };
}

/** A coarse clock gives equal values: what counts is that so many signs agree, which tosses of a coin seldom do. */
function byAgreement(values: Float64Array, alpha: number): Centre {
  const centre = values[0] ?? 0;
  const chance = 2 ** (1 - values.length);
  return {
    method: 'none',
    estimand: 'pseudo-median',
    canDecide: chance <= alpha,
    centre,
    pOf: (value) => (value === centre ? 1 : chance),
    limits: () => ({ low: centre, high: centre }),
  };
}
