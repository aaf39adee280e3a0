import { attainableAlpha, normalDeviate } from './centre.ts';
import { normalCdf } from './distributions.ts';

/** A sequential look: a comparison may end early here. */
export interface Look {
  /** Runs so far. */
  readonly runs: number;
  /** Level of the interval at this look, so that all looks together keep the requested level. */
  readonly level: number;
}

/** Parts of the most runs at which to look before the end: steps grow, because what an early look has not seen is small. */
const EARLY_PARTS = [0.2, 0.35, 0.6];
/** With four runs all signs agree by chance in one of eight comparisons: too often to rest on the shape of the noise. */
const FIRST_RUNS = 5;

/**
 * When to look, at most four times, and how strictly; the last look is at `maxRuns`. False alarms are spent as the runs
 * are (Lan and DeMets 1983), and what the coarse steps of ranks leave unspent goes to the next look.
 */
export function planLooks(maxRuns: number, level: number): readonly Look[] {
  const runCounts = lookRuns(maxRuns);
  if (runCounts.length === 1) return [{ runs: maxRuns, level }];
  const looks: Look[] = [];
  let undecided = START;
  let spent = 0;
  for (const runs of runCounts) {
    // Degrees of freedom, not runs: small t samples of one another's beginnings have less in common than their means.
    const part = (runs - 1) / (maxRuns - 1);
    const boundary = deviateFor(undecided, part, (1 - level) * part - spent);
    const alpha = attainableAlpha(runs, 2 * normalCdf(-boundary));
    spent += crossing(undecided, part, normalDeviate(alpha));
    undecided = afterLook(undecided, part, normalDeviate(alpha));
    looks.push({ runs, level: 1 - alpha });
  }
  return looks;
}

function lookRuns(maxRuns: number): readonly number[] {
  const runCounts: number[] = [];
  for (const part of EARLY_PARTS) {
    const runs = Math.max(FIRST_RUNS, Math.round(part * maxRuns));
    // A look costs strictness, and one more run hardly ever decides: looks stay two runs apart.
    if (runs - (runCounts.at(-1) ?? 0) >= 2 && maxRuns - runs >= 2) runCounts.push(runs);
  }
  return [...runCounts, maxRuns];
}

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
