import type { Better, Shift } from '../../../home/core/changes/change.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { compareNewest, type NewestDistance } from './compare-newest.ts';

/** What is to be judged, and by what. */
export interface NewestInput {
  /** Values at the present level, oldest first; one of each run. */
  readonly history: Float64Array;
  /** The newest value, or all values of the newest runs. */
  readonly newest: Float64Array;
  readonly better: Better;
}

export interface NewestOptions {
  /** The smallest shift of interest, as a fraction of the level. */
  readonly minEffect: number;
  /** How often a thing that did not change may be called changed. */
  readonly falseAlarms: number;
}

export const NEWEST_DEFAULTS: NewestOptions = { minEffect: 0.01, falseAlarms: 0.01 };

/** More of the past says no more of the present, and a verdict costs the same after a thousand nights. */
export const NEWEST_WINDOW = 100;

/** Fewest values from which a spread can be guessed. */
export const LEAST_HISTORY = 3;

/** Judges the newest value against the level before it, by an interval of prediction: see docs/statistics.md. */
export function judgeNewest(input: NewestInput, options: Partial<NewestOptions> = {}): NewestVerdict {
  const chosen = { ...NEWEST_DEFAULTS, ...options };
  const history = input.history.filter(Number.isFinite).slice(-NEWEST_WINDOW);
  const newest = input.newest.filter(Number.isFinite);
  const base = { history: history.length, isProvisional: newest.length < CONFIRMING };
  if (newest.length === 0) return { ...base, verdict: 'undecided', notes: ['There is no new value.'] };
  if (history.length < LEAST_HISTORY) {
    const notes = [`${history.length} earlier values: at least ${LEAST_HISTORY} are needed.`];
    return { ...base, verdict: 'undecided', notes };
  }
  const found = compareNewest(history, newest);
  const isFar = found.p < chosen.falseAlarms;
  const shift = shiftOf(found, chosen.falseAlarms);
  const verdict = isSame(found, chosen.minEffect)
    ? 'same'
    : isFar
      ? sideOf(found.distance, input.better)
      : 'undecided';
  return { ...base, verdict, shift, p: found.p, notes: notesOf(found, shift, chosen) };
}

/** Newest values that make a verdict more than provisional. */
const CONFIRMING = 3;

/** Each of the two one-sided tests of sameness errs at most this often, as elsewhere. */
const SAME_ERROR = 0.05;

/** What a shift and a verdict are made of. */
export type Distance = Pick<NewestDistance, 'measure' | 'centre' | 'distance' | 'chanceBeyond' | 'reach'>;

/** The shift with the interval that misses the true one so often. */
export function shiftOf(found: Distance, falseAlarms: number): Shift {
  const { measure, centre, distance } = found;
  const reach = found.reach(falseAlarms);
  const base = measure.to(centre);
  const by = (step: number) => finite(measure.to(centre + step) - base);
  const [difference, low, high] = [by(distance), by(distance - reach), by(distance + reach)];
  const unit = Math.abs(base);
  const relative = { change: difference / unit, low: low / unit, high: high / unit };
  const level = 1 - falseAlarms;
  const hasRatio = Object.values(relative).every(Number.isFinite);
  return { difference, low, high, level, ...(hasRatio ? { relative } : {}) };
}

/** Beyond the largest number there is none that JSON could hold. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/** Whether the interval with 5 % on either side lies within the smallest effect of interest. */
export function isSame({ measure, centre, distance, chanceBeyond }: Distance, minEffect: number): boolean {
  const base = measure.to(centre);
  if (base === 0) return distance === 0 && chanceBeyond(minEffect) < 2 * SAME_ERROR;
  const edges = [base - Math.abs(base) * minEffect, base + Math.abs(base) * minEffect].map(measure.from);
  const room = Math.min(centre + distance - (edges[0] ?? 0), (edges[1] ?? 0) - centre - distance);
  return room > 0 && chanceBeyond(room) < 2 * SAME_ERROR;
}

/** Which way the distance goes, in the words of a verdict. */
export function sideOf(distance: number, better: Better): 'faster' | 'slower' | 'changed' {
  if (better === 'unknown') return 'changed';
  return distance < 0 === (better === 'lower') ? 'faster' : 'slower';
}

function notesOf({ equals }: NewestDistance, { relative }: Shift, { minEffect }: NewestOptions): string[] {
  if (relative === undefined) return [];
  const notes: string[] = [];
  if (equals > 0 && Math.abs(relative.change) > minEffect)
    notes.push(`${equals} of the earlier values ${equals === 1 ? 'lies' : 'lie'} as far out.`);
  const isOpen = relative.low < 0 && relative.high > 0;
  const least = relative.high - relative.change;
  if (isOpen && least > 10 * minEffect)
    notes.push(`Shifts below ${percent(least)} cannot be told from the noise yet.`);
  return notes;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
