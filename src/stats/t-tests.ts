import { NightmarkError } from '../platform/core/errors.ts';
import { type Interval, studentCdf, studentQuantile } from './distributions.ts';
import { type Numbers, requireFinite, requireLevel, requirePairs } from './requirements.ts';
import { type Moments, momentsOf } from './summary.ts';

/** A mean or a difference of means with Student's interval. */
export interface TTest extends Interval {
  readonly estimate: number;
  readonly t: number;
  readonly df: number;
  /** Two-sided, that the true value is the hypothesized one. */
  readonly p: number;
}

export interface TTestOptions {
  readonly level: number;
  /** The value that is doubted: 0 unless given. */
  readonly center?: number;
}

/** Of one sample, or of the differences of pairs; at least two finite values. */
export function meanTest(values: Numbers, options: TTestOptions): TTest {
  const { n, mean, deviation } = momentsOf(values);
  return finish({ estimate: mean, error: deviation / Math.sqrt(n), df: n - 1 }, options);
}

/** Of the differences a - b of pairs. */
export function pairedTest(a: Numbers, b: Numbers, options: TTestOptions): TTest {
  requirePairs(a, b);
  requireFinite(a, 2);
  requireFinite(b, 2);
  const differences = new Float64Array(a.length);
  for (let index = 0; index < a.length; index++) differences[index] = (a[index] ?? 0) - (b[index] ?? 0);
  return meanTest(differences, options);
}

/** Of mean(a) - mean(b), the two being independent and of unequal spread (Welch, 1947). */
export function welchTest(a: Numbers, b: Numbers, options: TTestOptions): TTest {
  const [one, other] = [momentsOf(a), momentsOf(b)];
  const [errorA, errorB] = [errorOfMean(one), errorOfMean(other)];
  const error = Math.hypot(errorA, errorB);
  return finish({ estimate: one.mean - other.mean, error, df: welchDegrees(one, other) }, options);
}

interface Estimate {
  readonly estimate: number;
  readonly error: number;
  readonly df: number;
}

function finish({ estimate, error, df }: Estimate, { level, center = 0 }: TTestOptions): TTest {
  requireLevel(level);
  const t = studentized(estimate - center, error);
  const half = error === 0 ? 0 : error * studentQuantile((1 + level) / 2, df);
  const p = Math.min(1, 2 * studentCdf(-Math.abs(t), df));
  return { estimate, low: estimate - half, high: estimate + half, level, t, df, p };
}

/** Without any spread a difference is certain, and no difference is none: not 0 / 0. */
function studentized(distance: number, error: number): number {
  if (error > 0) return distance / error;
  return distance === 0 ? 0 : Math.sign(distance) * Number.POSITIVE_INFINITY;
}

function errorOfMean({ n, deviation }: Moments): number {
  return deviation / Math.sqrt(n);
}

/** Welch and Satterthwaite; shares of the variance rather than variances, so that no square leaves the range. */
function welchDegrees(a: Moments, b: Moments): number {
  const [errorA, errorB] = [errorOfMean(a), errorOfMean(b)];
  const total = Math.hypot(errorA, errorB);
  if (total === 0) return a.n + b.n - 2;
  const [shareA, shareB] = [(errorA / total) ** 2, (errorB / total) ** 2];
  return 1 / (shareA ** 2 / (a.n - 1) + shareB ** 2 / (b.n - 1));
}

/** Whether a mean lies within a margin of 0, for which "no difference was found" is not a proof. */
export interface Equivalence {
  /** That the mean is -margin or less. */
  readonly pBelow: number;
  /** That the mean is margin or more. */
  readonly pAbove: number;
  /** The larger of both: at or below alpha, the mean is within the margin. */
  readonly p: number;
}

/**
 * Two one-sided t tests (Schuirmann, 1987), for a mean of logarithms within [-margin, margin]. At alpha it decides as
 * the two-sided interval of level 1 - 2 alpha does, when that lies wholly within the margin.
 */
export function equivalenceTest(values: Numbers, margin: number): Equivalence {
  if (!(margin > 0)) {
    throw new NightmarkError('STATS_MARGIN', `Nothing lies within a margin of ${margin}.`, {
      hint: 'Give a smallest effect of interest above 0, such as 0.01.',
    });
  }
  const { n, mean, deviation } = momentsOf(values);
  const error = deviation / Math.sqrt(n);
  const pBelow = studentCdf(-studentized(mean + margin, error), n - 1);
  const pAbove = studentCdf(studentized(mean - margin, error), n - 1);
  return { pBelow, pAbove, p: Math.max(pBelow, pAbove) };
}
