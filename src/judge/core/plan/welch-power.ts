import { studentQuantile } from '../../../stats/distributions.ts';
import { noncentralTail } from './noncentral-t.ts';

/** What a test is to find, and how careful it is. */
export interface Search {
  /** The true difference of logarithms. */
  readonly effect: number;
  /** Standard deviation of one run (of one ratio, for pairs), on the scale of logarithms. */
  readonly deviation: number;
  /** Chance of a false alarm, both sides together: 1 - level. */
  readonly alpha: number;
}

/** Even, for Simpson's rule: five digits of the power are right. */
const STEPS = 12;

/**
 * How often Welch's test of two sides with `runs` normal values each leaves out "no difference". Exact for equal
 * spread: t has 2 n - 2 degrees of freedom whatever share of the variance side A happens to show, and that share,
 * which sets Welch's degrees of freedom, has a beta distribution. With the sine squared as the share no end is singular.
 */
export function welchPower(runs: number, { effect, deviation, alpha }: Search): number {
  const shift =
    deviation > 0 ? Math.abs(effect) / (deviation * Math.sqrt(2 / runs)) : Number.POSITIVE_INFINITY;
  if (shift === Number.POSITIVE_INFINITY) return 1;
  // Both sides are alike, so half of the range is enough; the angle has the deviation 1 / (2 sqrt(n)).
  const from = Math.max(0, Math.PI / 4 - 4 / Math.sqrt(runs));
  const step = (Math.PI / 4 - from) / STEPS;
  let sum = 0;
  let mass = 0;
  for (let index = 0; index <= STEPS; index++) {
    const angle = from + index * step;
    const weight = index === 0 || index === STEPS ? 1 : index % 2 === 1 ? 4 : 2;
    const density = weight * Math.sin(2 * angle) ** (runs - 2);
    const share = Math.sin(angle) ** 2;
    const df = (runs - 1) / (share ** 2 + (1 - share) ** 2);
    if (density > 0) sum += density * twoSided(studentQuantile(1 - alpha / 2, df), 2 * runs - 2, shift);
    mass += density;
  }
  return sum / mass;
}

/** Probability that t lies beyond `limit` on either side. */
export function twoSided(limit: number, df: number, shift: number): number {
  // The far side does not matter once the shift is large: below 1e-9.
  const far = shift > 5 ? 0 : noncentralTail(limit, df, -shift);
  return noncentralTail(limit, df, shift) + far;
}
