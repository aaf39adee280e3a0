import { studentCdf } from '../../../stats/distributions.ts';
import type { Room } from './place.ts';
import { gainOfLine } from './slopes.ts';
import type { Standardised } from './standardise.ts';
import { meanOver, over, type Part, type Step, type Sums, squaresOver } from './sums.ts';

/**
 * The place between two levels from which on points lie nearer to the second: a point counts by at most FURTHEST
 * deviations, so that an outlier beside the step does not drag it. Of equally good places the nearest to the old one.
 */
export function refine(
  { values, weights }: Standardised,
  sums: Sums,
  { from, at, to, room }: Step & { readonly room: Room },
): number {
  const before = meanOver(sums, { from, to: at });
  const after = meanOver(sums, { from: at, to });
  let [best, least, sum] = [at, Number.POSITIVE_INFINITY, 0];
  for (let place = from; place <= room.last; place++) {
    if (place >= room.first) {
      const isTie = Math.abs(sum - least) <= TIE;
      if (isTie ? Math.abs(place - at) < Math.abs(best - at) : sum < least) [best, least] = [place, sum];
    }
    const value = values[place] as number; // place < to: a level is never empty
    const weight = weights[place] as number;
    sum += loss(weight, value - before) - loss(weight, value - after);
  }
  return best;
}

const FURTHEST = 3;
const TIE = 1e-9;

/** A point of weight 9 lies as far out as another one at three times its distance. */
const loss = (weight: number, distance: number): number =>
  Math.min(FURTHEST ** 2, weight * distance * distance);

/** Noise that all levels of a range share. */
export interface SharedNoise {
  /** Variance of a point around its level. */
  readonly variance: number;
  /** How many points stand for one independent point. */
  readonly inflation: number;
}

/**
 * Probability of so large a step where there is none, by Welch's test. The variance of each level is its own and, as if
 * it were of PRIOR points more, the shared one: three points know little of their spread, three hundred know it. Where
 * a line fits both levels clearly better than a step, they are a drift: probability 1. A short range cannot
 * decide it, and steps are more common than drifts.
 */
export function stepProbability(sums: Sums, { from, at, to }: Step, noise: SharedNoise): number {
  const [before, after] = [estimate(sums, { from, to: at }, noise), estimate(sums, { from: at, to }, noise)];
  const difference = after.mean - before.mean;
  const gain = (difference ** 2 * before.weight * after.weight) / (before.weight + after.weight);
  if (gainOfLine(sums, { from, to }) > gain + DRIFT * noise.variance * noise.inflation) return 1;
  const error = before.error + after.error;
  const freedom = error ** 2 / (before.error ** 2 / before.freedom + after.error ** 2 / after.freedom);
  // Points that resemble each other also know less of the spread.
  return 2 * studentCdf(-Math.abs(difference) / Math.sqrt(error), Math.max(2, freedom / noise.inflation));
}

/** Variance of all points around their levels; never far below that of neighbours from each other, which is 1. */
export function sharedVariance(sums: Sums, bounds: readonly number[]): number {
  let squares = 0;
  for (let j = 0; j + 1 < bounds.length; j++)
    squares += squaresOver(sums, { from: bounds[j] as number, to: bounds[j + 1] as number });
  return Math.max(QUIETEST, squares / Math.max(1, sums.length - bounds.length + 1));
}

const PRIOR = 4;
const QUIETEST = 0.3;
/** How many variances a line must explain more than one step: twice a logarithm of likelihoods. */
const DRIFT = 3;

function estimate(sums: Sums, part: Part, { variance, inflation }: SharedNoise) {
  const freedom = PRIOR + part.to - part.from - 1;
  const own = (PRIOR * variance + squaresOver(sums, part)) / freedom;
  const weight = over(sums.weight, part);
  return { mean: meanOver(sums, part), weight, freedom, error: (own * inflation) / weight };
}
