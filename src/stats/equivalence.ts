import { NightmarkError } from '../platform/core/errors.ts';
import { studentCdf } from './distributions.ts';
import { momentsOf } from './moments.ts';
import type { Numbers } from './requirements.ts';
import { studentized } from './t-tests.ts';

/** Whether a mean lies within a margin of 0, for which "no difference was found" is no proof. */
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
