import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';

/** A series with one step that stays, and where its new level begins. */
export interface Placed {
  readonly values: Float64Array;
  readonly truth: number;
}

/** Makes a series of normal noise of deviation 1 around 100 with a step of so many deviations, up or down by chance. */
export type Placing = (size: number, seed: number) => Placed;

/** Series in which the place of a step is easy or hard to see. */
export const PLACINGS: readonly (readonly [string, Placing])[] = [
  ['clean', placing(() => {})],
  ['one outlier 2 to 5 points away', placing((given) => outlier(given, 2 + Math.floor(4 * given.random())))],
  ['one outlier right beside it', placing((given) => outlier(given, 1))],
  ['slow, fixed, slow again: 1 and 1', placing((given) => detour(given, 1, 1))],
  [
    'slow, fixed, slow again: 1 or 2 and 1 to 3',
    placing((given) => detour(given, 1 + Math.floor(2 * given.random()), 1 + Math.floor(3 * given.random()))),
  ],
];

/** The newest values of 1 % noise around 100 are so many deviations higher. */
export function youngStep(size: number, count: number, seed: number): Placed {
  const random = seededRandom(seed);
  const truth = 20 + Math.floor(41 * random());
  const values = Float64Array.from(
    { length: truth + count },
    (_, i) => 100 + (i >= truth ? size : 0) + normalQuantile(random() * 0.999998 + 0.000001),
  );
  return { values, truth };
}

interface Given {
  readonly values: Float64Array;
  readonly truth: number;
  readonly size: number;
  readonly random: () => number;
}

function placing(disturb: (given: Given) => void): Placing {
  return (size, seed) => {
    const random = seededRandom(seed);
    const truth = 20 + Math.floor(41 * random());
    const length = truth + 8 + Math.floor(33 * random());
    const step = random() < 0.5 ? size : -size;
    const values = Float64Array.from(
      { length },
      (_, i) => 100 + (i >= truth ? step : 0) + normalQuantile(random() * 0.999998 + 0.000001),
    );
    disturb({ values, truth, size: step, random });
    return { values, truth };
  };
}

/** 5 to 20 deviations off, to either side, before the step or behind it. */
function outlier({ values, truth, random }: Given, distance: number): void {
  const at = random() < 0.5 ? truth - distance : truth + distance - 1;
  const off = 5 + 15 * random();
  values[at] = (values[at] as number) + (random() < 0.5 ? off : -off); // truth is 20 at least, 8 follow
}

/** Some values at the new level, then some at the old one again, just before it stays. */
function detour({ values, truth, size }: Given, slow: number, fixed: number): void {
  for (let i = truth - fixed - slow; i < truth - fixed; i++) values[i] = (values[i] as number) + size; // truth is 20 at least
}
