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

/**
 * The place around which the step most probably lies, REACH points to either side. A small step leaves many places nearly
 * equally good, and the best of them is often a lone one at the rim, where chance put it; a clear step stays where it
 * is. Of places that hold nearly as much the likeliest. Noise is that of
 * neighbours, 1.
 */
export function settle(
  { values, weights }: Standardised,
  sums: Sums,
  { from, at, to, room }: Step & { readonly room: Room },
): number {
  if (room.last < room.first) return at;
  const before = meanOver(sums, { from: Math.max(from, at - CONTEXT), to: at });
  const after = meanOver(sums, { from: at, to: Math.min(to, at + CONTEXT) });
  const mass = new Float64Array(room.last - room.first + 1);
  let [sum, least] = [0, Number.POSITIVE_INFINITY];
  for (let place = from; place <= room.last; place++) {
    if (place >= room.first) {
      mass[place - room.first] = sum;
      least = Math.min(least, sum);
    }
    const [value, weight] = [values[place] as number, weights[place] as number]; // place < to
    sum += loss(weight, value - before) - loss(weight, value - after);
  }
  for (let i = 0; i < mass.length; i++) mass[i] = Math.exp((least - (mass[i] as number)) / 2);
  return room.first + bestCovered(mass, at - room.first);
}

/** Index with the most mass around it, or what comes near to that and has the most itself; `old` where that ties. */
function bestCovered(mass: Float64Array, old: number): number {
  const up = new Float64Array(mass.length + 1);
  for (let i = 0; i < mass.length; i++) up[i + 1] = (up[i] as number) + (mass[i] as number);
  const around = mass.map(
    (_, i) => (up[Math.min(mass.length, i + REACH + 1)] as number) - (up[Math.max(0, i - REACH)] as number), // within up
  );
  const enough = around.reduce((most, one) => Math.max(most, one), 0) - NEARLY * (up[mass.length] as number);
  let [best, most] = [old, -1];
  for (let i = 0; i < mass.length; i++) {
    const one = mass[i] as number; // i < length
    if ((around[i] as number) < enough || one < most - TIE) continue;
    if (one > most + TIE || Math.abs(i - old) < Math.abs(best - old)) [best, most] = [i, one];
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
/** Points of each level that its value is taken from: what comes later must not move an old place. */
const CONTEXT = 30;
/** As near as people look when they are told of a change. */
const REACH = 5;
/** That part of all mass decides nothing. */
const NEARLY = 0.001;

/** A point of weight 9 lies as far out as another one at three times its distance. */
const loss = (weight: number, distance: number): number =>
  Math.min(FURTHEST ** 2, weight * distance * distance);
