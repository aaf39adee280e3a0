import type { Series } from '../../../formats/core/sample.ts';
import { beyond } from '../../../stats/beyond.ts';
import { adjustedPValues } from '../../../stats/false-discovery.ts';
import { mean, median } from '../../../stats/summary.ts';
import { twoSides } from '../../../stats/verdict.ts';
import { isSame, LEAST_HISTORY, shiftOf, sideOf } from '../newest/judge-newest.ts';
import { predict } from '../newest/predictive.ts';
import {
  levelCentre,
  type Measure,
  meanVariances,
  measureFor,
  NOISE_PRIOR,
  neighbourCorrelation,
  resolutionOf,
} from '../newest/value-noise.ts';
import { type Basis, type ComparedRow, inOrder } from './compared-row.ts';

/** A series with the values of both sides; gaps are left out. */
export interface SeriesSides {
  readonly series: Omit<Series, 'id'>;
  readonly base: Float64Array;
  readonly head: Float64Array;
  readonly past: readonly Float64Array[];
  /** Its experiment failed in every run of the head that had it. */
  readonly hasFailed: boolean;
}

export interface CompareOptions {
  /** The smallest effect of interest, as a fraction. */
  readonly minEffect: number;
  /** How often an interval misses, and the fraction of reported differences that may be false. */
  readonly alpha: number;
}

export const COMPARE_DEFAULTS: CompareOptions = { minEffect: 0.01, alpha: 0.05 };

/** Judges every series and puts what matters most first. */
export function compareSeries(all: readonly SeriesSides[], options: CompareOptions): readonly ComparedRow[] {
  const rows = all.map((one) => compareOne(one, options));
  const adjusted = adjustedPValues(rows.map(({ p }) => p));
  return inOrder(rows.map((row, place) => withCorrection(row, adjusted[place], options)));
}

function compareOne(
  { series, base, head, past, hasFailed }: SeriesSides,
  { minEffect, alpha }: CompareOptions,
): ComparedRow {
  const { experiment, path, unit, better, betterFrom } = series;
  const known = { experiment, path, unit, better, ...(betterFrom !== undefined && { betterFrom }) };
  const none = { basis: { kind: 'none' } as const };
  const sides = {
    ...(base.length > 0 && { base: { value: median(base), runs: base.length } }),
    ...(head.length > 0 && { head: { value: median(head), runs: head.length } }),
  };
  if (head.length === 0) return { ...known, ...sides, ...none, verdict: hasFailed ? 'failed' : 'gone' };
  if (base.length === 0) return { ...known, ...sides, ...none, verdict: 'new' };
  const found = compareSides({ base, head, past }, alpha);
  if (found === undefined) {
    const change = median(head) / median(base) - 1;
    const isKnown = Number.isFinite(change) && median(base) > 0;
    return { ...known, ...sides, ...none, verdict: 'undecided', ...(isKnown && { change }) };
  }
  const shift = shiftOf(found, alpha);
  const verdict = isSame(found, minEffect) ? 'same' : sideOf(found.distance, better);
  const change = shift.relative?.change;
  const { estimand, correlation } = found;
  return {
    ...{ ...known, ...sides, verdict, shift, estimand, p: found.p, basis: found.basis },
    ...(correlation > 0 && { correlation }),
    ...(change !== undefined && { change }),
  };
}

/**
 * A difference is reported when it is surely beyond the smallest effect of interest, and few of all reported ones are
 * false; the others are undecided.
 */
function withCorrection(
  row: ComparedRow,
  adjustedP: number | undefined,
  { alpha, minEffect }: CompareOptions,
): ComparedRow {
  const { verdict, shift, p } = row;
  if (adjustedP === undefined || p === undefined) return row;
  if (verdict !== 'slower' && verdict !== 'faster' && verdict !== 'changed') return { ...row, adjustedP };
  // Where the base is 0 there are no fractions of it: any difference that is certain counts.
  const found = shift?.relative ? beyond(shift.relative, minEffect) : p <= alpha ? 'surely' : 'no';
  if (adjustedP > alpha) {
    const isHeldBack = p <= alpha && found !== 'no';
    return { ...row, adjustedP, verdict: 'undecided', ...(isHeldBack && { isHeldBack }) };
  }
  if (found === 'surely') return { ...row, adjustedP };
  return { ...row, adjustedP, verdict: 'undecided', ...(found === 'likely' && { likely: verdict }) };
}

/** Finite values of one series, one of each run; at least one a side. */
export interface SidesInput {
  readonly base: Float64Array;
  readonly head: Float64Array;
  /** Segments of earlier runs without a known change in them, oldest first. */
  readonly past: readonly Float64Array[];
}

/** How far the head lies from the base, and how far it may by chance: what verdict and interval are made of. */
export interface SidesDistance {
  readonly basis: Basis;
  readonly estimand: NonNullable<ComparedRow['estimand']>;
  /** Of neighbouring runs; 0 where none is seen. */
  readonly correlation: number;
  readonly measure: Measure;
  /** Centre of the base, and distance of that of the head from it, as measured. */
  readonly centre: number;
  readonly distance: number;
  /** Probability of this distance if nothing differs. */
  readonly p: number;
  chanceBeyond(distance: number): number;
  reach(probability: number): number;
}

/** Runs on either side from which their own spread is a better guide than the past. */
const OWN_SPREAD = 5;

/**
 * Compares two sets of runs. With enough runs on both sides their own spread is the noise; with fewer, what the series
 * did in earlier runs does. Iterations within a run never do: they agree with each other more than runs do. Undefined
 * where the noise is unknown.
 */
function compareSides(input: SidesInput, alpha: number): SidesDistance | undefined {
  if (Math.min(input.base.length, input.head.length) >= OWN_SPREAD) return byOwnSpread(input, alpha);
  const past = input.past.filter(({ length }) => length > 1);
  const count = past.reduce((sum, { length }) => sum + length, 0);
  return count < LEAST_HISTORY ? undefined : byPast({ ...input, past }, count);
}

/** The judge of two sides that are not pairs, on logarithms where all values are above 0. */
function byOwnSpread({ base, head, past }: SidesInput, alpha: number): SidesDistance {
  const measure = measureFor(base, head);
  const [before, after] = [base.map(measure.from), head.map(measure.from)];
  const earlier = past.map((segment) => segment.map(measure.from));
  const { found, correlation } = twoSides(before, after, { alpha, past: earlier });
  return {
    ...{ basis: { kind: 'runs' }, estimand: 'mean', correlation, measure, centre: mean(before) },
    ...{ distance: found.centre, p: found.pOf(0) },
    chanceBeyond: (room) => found.pOf(found.centre - room),
    reach: (probability) => {
      const { low, high } = found.limits(probability);
      return (high - low) / 2;
    },
  };
}

/** The predictive distribution of the detector, for the difference of two means of few runs each. */
function byPast({ base, head, past }: SidesInput, count: number): SidesDistance {
  const all = joined(past);
  const measure = measureFor(joined([all, base]), head);
  const [before, after] = [base, head].map((side) => levelCentre(side.map(measure.from))) as [number, number];
  const distance = Math.abs(after - before) < ROUNDING ? 0 : after - before;
  const segments = past.map((segment) => segment.map(measure.from));
  const residuals = joined(segments.map(fromCentre));
  const correlation = neighbourCorrelation(residuals);
  // Without what neighbours have in common: the sides need not be neighbours.
  const variance = ({ length }: Float64Array) => meanVariances(length, 1, correlation).history;
  const tick = measure.stepOf(resolutionOf(all));
  const fewest = Math.min(base.length, head.length);
  const predictive = predict(
    {
      residuals,
      centreVariance: segments.length / count,
      differenceVariance: variance(base) + variance(head),
      tick,
      tailPower: Math.ceil(fewest / 2),
    },
    NOISE_PRIOR,
  );
  const way = Math.abs(distance);
  const least = fewest === 1 ? leastProbability(segments, way, tick) : 0;
  return {
    ...{ basis: { kind: 'past', runs: count }, estimand: 'robust-mean', correlation, measure },
    ...{ centre: before, distance },
    p: way === 0 ? 1 : Math.max(least, predictive.p(way)),
    chanceBeyond: predictive.p,
    reach: (probability) => Math.max(predictive.reach(probability), least > probability ? way : 0),
  };
}

const ROUNDING = 1e-12;

function fromCentre(segment: Float64Array): Float64Array {
  const centre = levelCentre(segment);
  return segment.map((value) => value - centre);
}

/**
 * A step from one run to the next that was there k times in n will come again, and one of the last digit may come once in
 * n + 1: no model of the noise may call that less likely.
 */
function leastProbability(segments: readonly Float64Array[], way: number, tick: number): number {
  let [steps, equals] = [0, 0];
  for (const segment of segments) {
    for (let place = 1; place < segment.length; place++) {
      const step = Math.abs((segment[place] ?? 0) - (segment[place - 1] ?? 0));
      steps++;
      if (step >= way - ROUNDING) equals++;
    }
  }
  const isUnseen = equals === 0 && way > 1.5 * tick;
  return isUnseen ? 0 : (equals + 1) / (steps + 1);
}

function joined(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0] ?? new Float64Array();
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}
