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

/** Parts of the most runs at which to look: steps grow, because what an early look has not seen is small. */
const PARTS = [0.2, 0.35, 0.6, 1];
/** With fewer runs the signs agree by chance in one of eight comparisons: no look could be strict enough. */
const FIRST_RUNS = 5;
/** Below 1 early looks get more than their part of the false alarms. */
const HASTE = 1;

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
    const part = runs / maxRuns;
    const boundary = deviateFor(undecided, part, (1 - level) * part ** HASTE - spent);
    const alpha = attainableAlpha(runs, 2 * normalCdf(-boundary));
    spent += crossing(undecided, part, normalDeviate(alpha));
    undecided = afterLook(undecided, part, normalDeviate(alpha));
    looks.push({ runs, level: 1 - alpha });
  }
  return looks;
}

function lookMoments(maxRuns: number): readonly number[] {
  const moments = PARTS.map((part) => Math.round(part * maxRuns));
  return moments.filter((runs, index) => runs >= FIRST_RUNS || index === moments.length - 1);
}
