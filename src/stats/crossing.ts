import { normalCdf } from './distributions.ts';

/**
 * Comparisons of a thing with itself that no look has ended yet: where their sums stand, as masses at points. The sum of
 * normal steps is watched at parts of its way (Armitage, McPherson and Rowe 1969); at part t it has the variance t.
 */
export interface Undecided {
  readonly part: number;
  readonly points: Float64Array;
  readonly masses: Float64Array;
}

/** Before anything was measured every sum is 0. */
export const START: Undecided = { part: 0, points: Float64Array.of(0), masses: Float64Array.of(1) };

/** Even; ten times as many change a deviate by less than a millionth. */
const STEPS = 80;

/** The chance that a look at `part` finds the sum at least `deviate` standard deviations from 0. */
export function crossing({ part: from, points, masses }: Undecided, part: number, deviate: number): number {
  const limit = deviate * Math.sqrt(part);
  const spread = Math.sqrt(part - from);
  let chance = 0;
  for (let index = 0; index < points.length; index++) {
    const point = points[index] ?? 0;
    const outside = normalCdf((-limit - point) / spread) + normalCdf((point - limit) / spread);
    chance += (masses[index] ?? 0) * outside;
  }
  return chance;
}

/** The deviate at which a look at `part` ends no more than the share `allowed`. */
export function deviateFor(undecided: Undecided, part: number, allowed: number): number {
  let low = 0;
  let high = 40;
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (crossing(undecided, part, middle) > allowed) low = middle;
    else high = middle;
  }
  return high;
}

/** What is left after a look at `part` that ends all beyond `deviate`: Simpson's rule over what may remain. */
export function afterLook(
  { part: from, points, masses }: Undecided,
  part: number,
  deviate: number,
): Undecided {
  const limit = deviate * Math.sqrt(part);
  const spread = Math.sqrt(part - from);
  const step = (2 * limit) / STEPS;
  const next = Float64Array.from({ length: STEPS + 1 }, (_, index) => -limit + index * step);
  const left = next.map((to, index) => {
    let density = 0;
    for (let source = 0; source < points.length; source++) {
      density +=
        (masses[source] ?? 0) * Math.exp(-((to - (points[source] ?? 0)) ** 2) / (2 * spread * spread));
    }
    const weight = index === 0 || index === STEPS ? 1 : index % 2 === 1 ? 4 : 2;
    return (weight * step * density) / 3 / spread / Math.sqrt(2 * Math.PI);
  });
  return { part, points: next, masses: left };
}
