import type { SharedNoise } from './refine.ts';
import { over, type Part, type Sums, squaresOver } from './sums.ts';

/**
 * Whether a line fits several levels that all go one way better than the steps between them do: a long drift looks like
 * a flight of stairs, of which each step taken alone may pass for one.
 */
export function isStaircaseOfDrift(sums: Sums, bounds: readonly number[], noise: SharedNoise): boolean {
  const whole = { from: bounds[0] as number, to: bounds.at(-1) as number };
  let left = squaresOver(sums, whole);
  for (const part of partsOf(bounds)) left -= squaresOver(sums, part);
  return gainOfLine(sums, whole) > left - STAIR * noise.variance * noise.inflation;
}

/** Slope that all levels share; 0 where chance may have made it. */
export function commonSlope(sums: Sums, bounds: readonly number[], noise: SharedNoise): number {
  let [spread, together] = [0, 0];
  for (const part of partsOf(bounds)) {
    const one = slopeSums(sums, part);
    spread += one.spread;
    together += one.together;
  }
  const error = Math.sqrt((noise.variance * noise.inflation) / spread);
  return Math.abs(together / spread) > LIKELY * error ? together / spread : 0;
}

/** Squares that the best line explains beyond the mean. */
export function gainOfLine(sums: Sums, part: Part): number {
  const { spread, together } = slopeSums(sums, part);
  return spread > 0 ? together ** 2 / spread : 0;
}

/** How many variances a line may explain less than a flight of steps, which has more places and heights to choose. */
const STAIR = 8;
/** Errors of a slope. */
const LIKELY = 2;

const partsOf = (bounds: readonly number[]): readonly Part[] =>
  bounds.slice(1).map((to, j) => ({ from: bounds[j] as number, to })); // as many as ends

/** Squares of the places around their mean, and products with the values. */
function slopeSums(sums: Sums, part: Part): { readonly spread: number; readonly together: number } {
  const weight = over(sums.weight, part);
  const place = over(sums.place, part) / weight;
  const spread = over(sums.placeSquare, part) - weight * place ** 2;
  return { spread, together: over(sums.moment, part) - place * over(sums.value, part) };
}
