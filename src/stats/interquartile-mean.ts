import { bootstrap } from './bootstrap.ts';
import type { Interval } from './interval.ts';
import { seededRandom } from './random.ts';
import { type Numbers, requireFinite } from './requirements.ts';

/**
 * Mean of the middle half: floor(n / 4) values are left out at each end (scipy's trim_mean at 0.25, which rliable uses).
 * Below four values it is the mean.
 */
export function interquartileMean(values: Numbers): number {
  requireFinite(values);
  return middleMean(new Float64Array(values));
}

/** The same of finite values, which are sorted in place: a band asks for it a hundred thousand times. */
export function middleMean(values: Float64Array): number {
  const sorted = values.length <= FEW ? sortFew(values) : values.sort();
  const cut = Math.floor(sorted.length / 4);
  let total = 0;
  for (let at = cut; at < sorted.length - cut; at++) total += sorted[at] as number; // at < length
  return total / (sorted.length - 2 * cut);
}

/** Its bootstrap interval over seeds, of which it needs two; the same values always give the same one. */
export function interquartileInterval(values: Numbers, level = 0.95): Interval {
  return bootstrap(new Float64Array(values), interquartileMean, { level, random: seededRandom(SEED) });
}

const SEED = 1;

/** Below it, the general sort takes longer to begin than this one to end. */
const FEW = 32;

function sortFew(values: Float64Array): Float64Array {
  for (let next = 1; next < values.length; next++) {
    const value = values[next] as number; // next < length
    let at = next;
    for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  return values;
}
