import type { Better, Shift } from '../../../home/core/changes/change.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { likelihoodOf } from './noise-likelihood.ts';
import { type Evidence, predict } from './predictive.ts';
import {
  levelCentre,
  type Measure,
  meanVariances,
  measureFor,
  NOISE_PRIOR,
  type NoisePrior,
  neighbourCorrelation,
  newCentre,
  resolutionOf,
} from './value-noise.ts';

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
  /** How noisy the series may be, from series that are like it: see `poolNoise`. Absent: as benchmarks are. */
  readonly prior?: NoisePrior;
}

export const NEWEST_DEFAULTS: NewestOptions = { minEffect: 0.01, falseAlarms: 0.01 };

/** Older values say nothing more about the present, and a verdict costs the same after a thousand nights. */
export const NEWEST_WINDOW = 100;

/** Fewest values from which a spread can be guessed. */
export const LEAST_HISTORY = 3;

/** Judges the newest value against the level before it, by an interval of prediction: see docs/statistics.md. */
export function judgeNewest(input: NewestInput, options: Partial<NewestOptions> = {}): NewestVerdict {
  return judgePrepared(prepareNewest(input), options);
}

/** A newest value beside its level, before it is known how noisy other series are. */
export interface PreparedNewest {
  readonly better: Better;
  /** Usable values of the level and of the newest runs. */
  readonly counts: { readonly history: number; readonly newest: number };
  /** Absent where there is no value, or too little history. */
  readonly placed?: PlacedNewest;
}

export function prepareNewest({ history, newest, better }: NewestInput): PreparedNewest {
  const past = history.filter(Number.isFinite).slice(-NEWEST_WINDOW);
  const now = newest.filter(Number.isFinite);
  const counts = { history: past.length, newest: now.length };
  if (now.length === 0 || past.length < LEAST_HISTORY) return { better, counts };
  return { better, counts, placed: placeNewest(past, now) };
}

export function judgePrepared(
  { better, counts, placed }: PreparedNewest,
  options: Partial<NewestOptions> = {},
): NewestVerdict {
  const { minEffect, falseAlarms, prior } = { ...NEWEST_DEFAULTS, ...options };
  const base = { history: counts.history, isProvisional: counts.newest < CONFIRMING };
  if (placed === undefined) {
    const few = `${counts.history} earlier values: at least ${LEAST_HISTORY} are needed.`;
    const notes = [counts.newest === 0 ? 'There is no new value.' : few];
    return { ...base, verdict: 'undecided', notes };
  }
  const found = measureDistance(placed, prior);
  const isFar = found.p < falseAlarms;
  const shift = shiftOf(found, falseAlarms);
  const verdict = isSame(found, minEffect) ? 'same' : isFar ? sideOf(found.distance, better) : 'undecided';
  return { ...base, verdict, shift, p: found.p, notes: notesOf(found, shift, minEffect) };
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

/** The verdict for the direction of the distance. */
export function sideOf(distance: number, better: Better): 'faster' | 'slower' | 'changed' {
  if (better === 'unknown') return 'changed';
  return distance < 0 === (better === 'lower') ? 'faster' : 'slower';
}

function notesOf({ equals }: NewestDistance, { relative }: Shift, minEffect: number): string[] {
  if (relative === undefined) return [];
  const notes: string[] = [];
  if (equals > 0 && Math.abs(relative.change) > minEffect)
    notes.push(`${equals} of the earlier values ${equals === 1 ? 'lies' : 'lie'} as far out.`);
  const isOpen = relative.low < 0 && relative.high > 0;
  const least = relative.high - relative.change;
  if (isOpen && least > 10 * minEffect)
    notes.push(`Shifts below ${percent(least)} cannot be distinguished from the noise yet.`);
  return notes;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** How far new values lie from their level, and how far they may by chance. */
export interface NewestDistance {
  readonly measure: Measure;
  /** Centre of the level and distance of the new values from it, as measured. */
  readonly centre: number;
  readonly distance: number;
  /** Probability of this distance if nothing changed. */
  readonly p: number;
  /** Standard error of the distance, as most likely seen. */
  readonly error: number;
  /** Earlier values that lie as far out on the same side. */
  readonly equals: number;
  /** Probability to go further than this by chance, and the way that is gone with such a probability. */
  chanceBeyond(distance: number): number;
  reach(probability: number): number;
}

/** Compares finite new values, at least one, with the values of their level, of which there are at least three. */
export function compareNewest(
  history: Float64Array,
  newest: Float64Array,
  prior: NoisePrior = NOISE_PRIOR,
): NewestDistance {
  return measureDistance(placeNewest(history, newest), prior);
}

/** New values and those of their level around its centre, and what the latter say about the noise. */
export interface PlacedNewest {
  readonly measure: Measure;
  readonly centre: number;
  readonly distance: number;
  /** Distances of the new values from the centre. */
  readonly newest: Float64Array;
  readonly evidence: Evidence;
  readonly likelihood: Float32Array;
}

function placeNewest(history: Float64Array, newest: Float64Array): PlacedNewest {
  const measure = measureFor(history, newest);
  const past = history.map(measure.from);
  const now = newest.map(measure.from);
  const centre = levelCentre(past);
  const from = (value: number) => withoutRounding(value - centre);
  const residuals = past.map(from);
  const variances = meanVariances(past.length, now.length, neighbourCorrelation(residuals));
  const evidence = {
    residuals,
    centreVariance: variances.history,
    differenceVariance: variances.difference,
    tick: measure.stepOf(resolutionOf(history)),
    tailPower: Math.ceil(now.length / 2),
  };
  const distance = from(newCentre(now));
  return { measure, centre, distance, newest: now.map(from), evidence, likelihood: likelihoodOf(evidence) };
}

/** With the noise that the prior and the level suggest. */
export function measureDistance(placed: PlacedNewest, prior: NoisePrior = NOISE_PRIOR): NewestDistance {
  const { measure, centre, distance, evidence, likelihood } = placed;
  const predictive = predict(evidence, prior, likelihood);
  const [way, side] = [Math.abs(distance), Math.sign(distance)];
  const outwards = evidence.residuals.map((residual) => side * residual);
  const newest = placed.newest.map((value) => side * value);
  const least = leastProbability(outwards, { newest, tick: evidence.tick });
  return {
    ...{ measure, centre, distance },
    p: way === 0 ? 1 : Math.max(least, predictive.p(way)),
    error: predictive.scale * Math.sqrt(evidence.differenceVariance),
    equals: countFrom(outwards, AS_FAR * way),
    chanceBeyond: predictive.p,
    reach: (probability) => Math.max(predictive.reach(probability), least > probability ? way : 0),
  };
}

const ROUNDING = 1e-12;

/** A difference in the last bits of a number is rounding; beyond a million times the level only overflow could follow. */
function withoutRounding(distance: number): number {
  if (Math.abs(distance) < ROUNDING) return 0;
  return Math.max(-1e6, Math.min(1e6, distance));
}

/**
 * What was there k times in n values comes again, and what never was may come once in n + 1: no model of the noise may
 * call that less likely. The latter holds for the last digit only, or else few values could show nothing. Several new
 * values lie out there by chance only if at least half of them do, each by itself.
 */
function leastProbability(
  outwards: Float64Array,
  { newest, tick }: { readonly newest: Float64Array; readonly tick: number },
): number {
  const farthest = newest.toSorted().reverse();
  let least = 1;
  let ways = 1;
  farthest.forEach((way, place) => {
    ways *= (newest.length - place) / (place + 1);
    const count = place + 1;
    if (2 * count < newest.length || way <= 0) return;
    const equals = countFrom(outwards, AS_FAR * way);
    const isUnseen = equals === 0 && way > 1.5 * tick;
    least = isUnseen ? 0 : Math.min(least, ways * ((equals + 1) / (outwards.length + 1)) ** count);
  });
  return least;
}

/** The second value at one of two speeds may lie a little farther out than the first one. */
const AS_FAR = 0.9;

function countFrom(outwards: Float64Array, way: number): number {
  let count = 0;
  for (const residual of outwards) if (residual >= way - ROUNDING) count++;
  return count;
}
