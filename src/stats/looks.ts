import { attainableAlpha, normalDeviate } from './centre.ts';
import { afterLook, crossing, deviateFor, START } from './crossing.ts';
import { normalCdf } from './distributions.ts';

/** A moment at which a comparison may end early. */
export interface Look {
  /** Runs so far. */
  readonly runs: number;
  /** Level of the interval at this look, so that all looks together keep the level that was asked for. */
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
  const moments = lookMoments(maxRuns);
  if (moments.length === 1) return [{ runs: maxRuns, level }];
  const looks: Look[] = [];
  let undecided = START;
  let spent = 0;
  for (const runs of moments) {
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

function lookMoments(maxRuns: number): readonly number[] {
  const moments: number[] = [];
  for (const part of EARLY_PARTS) {
    const runs = Math.max(FIRST_RUNS, Math.round(part * maxRuns));
    // A look costs strictness, and one more run hardly ever decides: looks stay two runs apart.
    if (runs - (moments.at(-1) ?? 0) >= 2 && maxRuns - runs >= 2) moments.push(runs);
  }
  return [...moments, maxRuns];
}
