import type { Standardised } from './standardise.ts';
import type { Step } from './step-test.ts';
import { meanOver, type Sums } from './sums.ts';

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

/** Places where a step may be put. */
export interface Room {
  readonly first: number;
  readonly last: number;
}

const FURTHEST = 3;
const TIE = 1e-9;

/** A point of weight 9 lies as far out as another one at three times its distance. */
const loss = (weight: number, distance: number): number =>
  Math.min(FURTHEST ** 2, weight * distance * distance);
