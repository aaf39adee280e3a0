import { normalQuantile, studentCdf, studentQuantile } from './distributions.ts';
import { signedRankNull } from './signed-rank-null.ts';
import { walshAverages } from './walsh-averages.ts';

/** Limits between which the centre of the values lies; `alpha` is the chance that it does not, both sides together. */
export interface Limits {
  readonly low: number;
  readonly high: number;
}

/** Where the values have their middle, and how sure that is. */
export interface Centre {
  /** none: all values are equal, so nothing is known about the noise. */
  readonly method: 'ranks' | 'student' | 'none';
  /** False when equal values are too few for their agreement to mean anything. */
  readonly canDecide: boolean;
  readonly centre: number;
  /** Two-sided, that the centre is 0; at most alpha exactly when the limits for alpha leave 0 out. */
  readonly p: number;
  limits(alpha: number): Limits;
}

/**
 * Ranks: the Hodges-Lehmann centre with the limits of the signed-rank test. Right for any symmetric noise, however heavy
 * its tails. Student: mean and t limits, for so few values that ranks know only coarse probabilities.
 * docs/statistics.md, "The verdict", says how the simulations led to this.
 */
export function centreOf(values: Float64Array, alpha: number): Centre {
  if (values.every((value) => value === values[0])) return byAgreement(values, alpha);
  return ranksFit(values.length, alpha) ? byRanks(values) : byStudent(values);
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
  return 2 * distribution.atMost(distribution.largestWithin(alpha / 2));
}

/** How far from 0 a standard normal value is that is as unlikely as `p`, both sides together. */
export function normalDeviate(p: number): number {
  return -normalQuantile(p / 2);
}

function byRanks(values: Float64Array): Centre {
  const averages = walshAverages(values);
  const distribution = signedRankNull(values.length);
  const last = averages.count - 1;
  // Averages that are 0 count against a difference on both sides: with ties the test only gets more careful.
  const against = Math.min(averages.atMost(0), averages.count - averages.below(0));
  return {
    method: 'ranks',
    canDecide: true,
    centre: averages.at(last >> 1) / 2 + averages.at((last + 1) >> 1) / 2,
    p: Math.min(1, 2 * distribution.atMost(against)),
    limits: (alpha) => {
      const step = Math.max(0, distribution.largestWithin(alpha / 2));
      return { low: averages.at(step), high: averages.at(last - step) };
    },
  };
}

function byStudent(values: Float64Array): Centre {
  const df = values.length - 1;
  const { mean, error } = meanAndError(values);
  const t = Math.abs(mean) / error;
  return {
    method: 'student',
    canDecide: true,
    centre: mean,
    p: 2 * studentCdf(-t, df),
    limits: (alpha) => {
      const half = -studentQuantile(alpha / 2, df) * error;
      return { low: mean - half, high: mean + half };
    },
  };
}

/** A coarse clock gives equal values: what counts is that so many signs agree, which tosses of a coin seldom do. */
function byAgreement(values: Float64Array, alpha: number): Centre {
  const centre = values[0] ?? 0;
  const chance = 2 ** (1 - values.length);
  return {
    method: 'none',
    canDecide: chance <= alpha,
    centre,
    p: centre === 0 ? 1 : chance,
    limits: () => ({ low: centre, high: centre }),
  };
}

function meanAndError(values: Float64Array): { readonly mean: number; readonly error: number } {
  const n = values.length;
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / n;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, error: Math.sqrt(squares / (n - 1) / n) };
}
