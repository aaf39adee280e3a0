import type { Better, NewestVerdict, Shift } from '../model/change.ts';
import { meanVariances, neighbourCorrelation } from './correlated-means.ts';
import { levelCentre, newCentre } from './level-centre.ts';
import { NOISE_PRIOR } from './noise-prior.ts';
import { predict } from './predictive.ts';
import { resolutionOf } from './resolution.ts';
import { type Measure, measureFor } from './value-measure.ts';

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
const LEAST_HISTORY = 3;

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
  const measure = measureFor(history, newest);
  const found = compare(history, newest, measure);
  const reach = found.reach(chosen.falseAlarms);
  const shift = shiftOf(found, reach, { measure, level: 1 - chosen.falseAlarms });
  const equal = shiftOf(found, found.reach(2 * SAME_ERROR), { measure, level: 1 - 2 * SAME_ERROR });
  const isSame = isWithin(equal, chosen.minEffect);
  const isFar = Math.abs(found.distance) > reach;
  const verdict = isSame ? 'same' : isFar ? sideOf(found.distance, input.better) : 'undecided';
  return { ...base, verdict, shift, p: found.p, notes: notesOf(found, shift, chosen) };
}

/** Newest values that make a verdict more than provisional. */
const CONFIRMING = 3;

/** Each of the two one-sided tests of sameness errs at most this often, as elsewhere. */
const SAME_ERROR = 0.05;

interface Found {
  /** On the scale of the measure. */
  readonly centre: number;
  readonly distance: number;
  readonly p: number;
  reach(probability: number): number;
  /** Earlier values that lie as far out on the same side. */
  readonly equals: number;
}

function compare(history: Float64Array, newest: Float64Array, measure: Measure): Found {
  const past = history.map(measure.from);
  const centre = levelCentre(past);
  const distance = newCentre(newest.map(measure.from)) - centre;
  const residuals = past.map((value) => value - centre);
  const variances = meanVariances(past.length, newest.length, neighbourCorrelation(residuals));
  const predictive = predict(
    {
      residuals,
      centreVariance: variances.history,
      differenceVariance: variances.difference,
      tick: measure.stepOf(resolutionOf(history)),
      tailPower: Math.ceil(newest.length / 2),
    },
    NOISE_PRIOR,
  );
  const equals = residuals.filter((one) => Math.sign(distance) * one >= Math.abs(distance)).length;
  // What was there k times in n values comes again: no model of the noise may call it less likely.
  const least = equals > 0 ? (equals + 1) / (past.length + 1) : 0;
  const p = distance === 0 ? 1 : Math.max(least, predictive.p(Math.abs(distance)));
  const reach = (probability: number) =>
    Math.max(predictive.reach(probability), least > probability ? Math.abs(distance) : 0);
  return { centre, distance, p, reach, equals };
}

function shiftOf(
  { centre, distance }: Found,
  reach: number,
  { measure, level }: { readonly measure: Measure; readonly level: number },
): Shift {
  const base = measure.to(centre);
  const by = (step: number) => measure.to(centre + step) - base;
  const [difference, low, high] = [by(distance), by(distance - reach), by(distance + reach)];
  const unit = Math.abs(base);
  const relative = { change: difference / unit, low: low / unit, high: high / unit };
  return { difference, low, high, level, ...(unit > 0 ? { relative } : {}) };
}

function isWithin({ difference, low, high, relative }: Shift, minEffect: number): boolean {
  if (relative === undefined) return difference === 0 && low === 0 && high === 0;
  return relative.low > -minEffect && relative.high < minEffect;
}

function sideOf(distance: number, better: Better): 'faster' | 'slower' | 'changed' {
  if (better === 'unknown') return 'changed';
  return distance < 0 === (better === 'lower') ? 'faster' : 'slower';
}

function notesOf({ equals }: Found, { relative, low, high }: Shift, { minEffect }: NewestOptions): string[] {
  const notes: string[] = [];
  if (equals > 0 && relative !== undefined && Math.abs(relative.change) > minEffect)
    notes.push(`${equals} of the earlier values ${equals === 1 ? 'lies' : 'lie'} as far out.`);
  if (relative !== undefined && low < 0 && high > 0 && relative.high > 10 * minEffect)
    notes.push(`Shifts below ${percent(relative.high - relative.change)} cannot be told from the noise yet.`);
  return notes;
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}
