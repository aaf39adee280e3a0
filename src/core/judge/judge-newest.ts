import type { Better, NewestVerdict } from '../model/change.ts';
import { studentCdf, studentQuantile } from '../stats/distributions.ts';
import { mean, populationDeviation } from '../stats/summary.ts';

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

/** Judges the newest value against the level before it, by an interval of prediction. */
export function judgeNewest(input: NewestInput, options: Partial<NewestOptions> = {}): NewestVerdict {
  const { minEffect, falseAlarms } = { ...NEWEST_DEFAULTS, ...options };
  const history = input.history.filter(Number.isFinite);
  const newest = input.newest.filter(Number.isFinite);
  const base = { history: history.length, isProvisional: newest.length < 2 };
  if (newest.length === 0) return { ...base, verdict: 'undecided', notes: ['There is no new value.'] };
  if (history.length < 3)
    return {
      ...base,
      verdict: 'undecided',
      notes: [`${history.length} earlier values: at least 3 are needed.`],
    };
  const centre = mean(history);
  const difference = mean(newest) - centre;
  const error =
    populationDeviation(history) *
    Math.sqrt(history.length / (history.length - 1)) *
    Math.sqrt(1 / newest.length + 1 / history.length);
  const freedom = history.length - 1;
  const p = error > 0 ? 2 * studentCdf(-Math.abs(difference) / error, freedom) : difference === 0 ? 1 : 0;
  const reach = error * studentQuantile(1 - falseAlarms / 2, freedom);
  const [low, high] = [difference - reach, difference + reach];
  const unit = Math.abs(centre);
  const relative = { change: difference / unit, low: low / unit, high: high / unit };
  const shift = { difference, low, high, level: 1 - falseAlarms, ...(unit > 0 ? { relative } : {}) };
  const isSame = unit > 0 && relative.low > -minEffect && relative.high < minEffect;
  const verdict = isSame ? 'same' : low > 0 || high < 0 ? side(difference, input.better) : 'undecided';
  return { ...base, verdict, shift, p, notes: [] };
}

function side(difference: number, better: Better): 'faster' | 'slower' | 'changed' {
  if (better === 'unknown') return 'changed';
  return difference < 0 === (better === 'lower') ? 'faster' : 'slower';
}
