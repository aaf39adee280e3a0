import { normalCdf } from '../../../stats/distributions.ts';
import { logGamma } from '../../../stats/special-functions.ts';

/** Even, for Simpson's rule; with 128 steps five digits are right from one degree of freedom on. */
const STEPS = 128;

/**
 * Probability that a t value whose numerator is shifted by `shift` standard errors lies above `t`: a normal value over
 * the root of chi square / df, averaged over what that root may be.
 */
export function noncentralTail(t: number, df: number, shift: number): number {
  if (df === Number.POSITIVE_INFINITY) return normalCdf(shift - t);
  // The root has the deviation 1 / sqrt(2 df); its tails fall off like those of a normal value or faster.
  const reach = 9 / Math.sqrt(2 * df);
  const [from, to] = [Math.max(1e-12, 1 - reach), 1 + reach];
  const step = (to - from) / STEPS;
  const scale = Math.LN2 + (df / 2) * Math.log(df / 2) - logGamma(df / 2);
  let sum = 0;
  let mass = 0;
  for (let index = 0; index <= STEPS; index++) {
    const root = from + index * step;
    const weight = index === 0 || index === STEPS ? 1 : index % 2 === 1 ? 4 : 2;
    const density = weight * Math.exp(scale + (df - 1) * Math.log(root) - (df * root * root) / 2);
    sum += density * normalCdf(shift - t * root);
    mass += density;
  }
  return sum / mass;
}
