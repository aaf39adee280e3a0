import { attainableAlpha, ranksFit } from '../../../stats/centre.ts';
import { normalCdf, normalQuantile, studentQuantile } from '../../../stats/distributions.ts';
import { logGamma } from '../../../stats/special-functions.ts';

/** What a test is to find, and how careful it is. */
export interface Search {
  /** The true difference of logarithms. */
  readonly effect: number;
  /** Standard deviation of one run (of one ratio, for pairs), on the scale of logarithms. */
  readonly deviation: number;
  /** Chance of a false alarm, both sides together: 1 - level. */
  readonly alpha: number;
}

/** Independent runs look correlated by chance in one of twenty comparisons, whose interval is then wider: so much more noise. */
const CAUTION = 1.03;

/** Even, for Simpson's rule: five digits of the power are right. */
const WELCH_STEPS = 12;

/**
 * How often Welch's test of two sides with `runs` normal values each leaves out "no difference". Exact for equal
 * spread: t has 2 n - 2 degrees of freedom whatever share of the variance side A happens to show, and that share,
 * which sets Welch's degrees of freedom, has a beta distribution. With the sine squared as the share no end is singular.
 */
export function welchPower(runs: number, { effect, deviation, alpha }: Search): number {
  const shift =
    deviation > 0 ? Math.abs(effect) / (CAUTION * deviation * Math.sqrt(2 / runs)) : Number.POSITIVE_INFINITY;
  if (shift === Number.POSITIVE_INFINITY) return 1;
  // Both sides are alike, so half of the range is enough; the angle has the deviation 1 / (2 sqrt(n)).
  const from = Math.max(0, Math.PI / 4 - 4 / Math.sqrt(runs));
  const step = (Math.PI / 4 - from) / WELCH_STEPS;
  let sum = 0;
  let mass = 0;
  for (let index = 0; index <= WELCH_STEPS; index++) {
    const angle = from + index * step;
    const weight = index === 0 || index === WELCH_STEPS ? 1 : index % 2 === 1 ? 4 : 2;
    const density = weight * Math.sin(2 * angle) ** (runs - 2);
    const share = Math.sin(angle) ** 2;
    const df = (runs - 1) / (share ** 2 + (1 - share) ** 2);
    if (density > 0) sum += density * twoSided(studentQuantile(1 - alpha / 2, df), 2 * runs - 2, shift);
    mass += density;
  }
  return sum / mass;
}

/** Probability that t lies beyond `limit` on either side. */
function twoSided(limit: number, df: number, shift: number): number {
  // The far side does not matter once the shift is large: below 1e-9.
  const far = shift > 5 ? 0 : noncentralTail(limit, df, -shift);
  return noncentralTail(limit, df, shift) + far;
}

/** Ranks use normal values as well as Student's test does with 3 / pi as many of them (Hodges and Lehmann 1956). */
const EFFICIENCY = 3 / Math.PI;

/**
 * How often the verdict on `runs` normal log ratios says that they differ from 0: by the rule of `centreOf`, Student's
 * test where values are few and ranks from then on. The latter is Student's with the efficiency of ranks, at the level
 * that their steps leave: from 10 values on within about one point of simulations (bench/accuracy-power.ts).
 */
export function pairsPower(runs: number, { effect, deviation, alpha }: Search): number {
  if (!(deviation > 0)) return 1;
  const useful = ranksFit(runs, alpha) ? runs * EFFICIENCY : runs;
  const limit = studentQuantile(1 - attainableAlpha(runs, alpha) / 2, runs - 1);
  return twoSided(limit, runs - 1, (Math.abs(effect) / (CAUTION * deviation)) * Math.sqrt(useful));
}

/**
 * By how much the deviation must be overstated where it was learned with `freedom` degrees of freedom, so that the power
 * is reached on average over what it may really be: shift / deviation then varies like the root of chi square / freedom.
 */
export function noiseAllowance(
  freedom: number,
  { alpha, power }: { readonly alpha: number; readonly power: number },
): number {
  if (freedom === Number.POSITIVE_INFINITY) return 1;
  const limit = normalQuantile(1 - alpha / 2);
  const shift = limit + normalQuantile(power);
  const reached = (factor: number) =>
    noncentralMean(freedom, (root) => normalCdf(shift * factor * root - limit));
  let [low, high] = [1, MOST_ALLOWANCE];
  while (high - low > 1e-3) {
    const middle = (low + high) / 2;
    if (reached(middle) < power) low = middle;
    else high = middle;
  }
  return high;
}

/** Two nights would ask for more than this: what they know is next to nothing. */
const MOST_ALLOWANCE = 10;

/** Even, for Simpson's rule; with 128 steps five digits are right from one degree of freedom on. */
const T_STEPS = 128;

/**
 * Probability that a t value whose numerator is shifted by `shift` standard errors lies above `t`: a normal value over
 * the root of chi square / df, averaged over what that root may be.
 */
export function noncentralTail(t: number, df: number, shift: number): number {
  if (df === Number.POSITIVE_INFINITY) return normalCdf(shift - t);
  return noncentralMean(df, (root) => normalCdf(shift - t * root));
}

/** Mean of a function of the root of chi square / df. */
function noncentralMean(df: number, of: (root: number) => number): number {
  // The root has the deviation 1 / sqrt(2 df); its tails fall off like those of a normal value or faster.
  const reach = 9 / Math.sqrt(2 * df);
  const [from, to] = [Math.max(1e-12, 1 - reach), 1 + reach];
  const step = (to - from) / T_STEPS;
  const scale = Math.LN2 + (df / 2) * Math.log(df / 2) - logGamma(df / 2);
  let sum = 0;
  let mass = 0;
  for (let index = 0; index <= T_STEPS; index++) {
    const root = from + index * step;
    const weight = index === 0 || index === T_STEPS ? 1 : index % 2 === 1 ? 4 : 2;
    const density = weight * Math.exp(scale + (df - 1) * Math.log(root) - (df * root * root) / 2);
    sum += density * of(root);
    mass += density;
  }
  return sum / mass;
}
