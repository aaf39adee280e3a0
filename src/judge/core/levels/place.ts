import { selectMedian } from './select.ts';
import type { Standardised } from './standardise.ts';
import type { Step } from './sums.ts';

/** Where a new level begins, as far as the values decide it. */
export interface Place {
  /** Index of its first point; beyond the places that were allowed where fewer points have stayed. */
  readonly at: number;
  /** The earliest and the latest place that is left possible at 95 %. */
  readonly first: number;
  readonly last: number;
  /** Single points near the place that clearly lie at the level on the other side of it, where it did not stay at once. */
  readonly visits: readonly number[];
}

/** Places where a step may be put. */
export interface Room {
  readonly first: number;
  readonly last: number;
}

export interface Placing extends Room {
  readonly minSegment: number;
  /** How many points stand for one independent point. */
  readonly inflation: number;
}

/**
 * Each point speaks for the level that it lies nearer to, by at most FURTHEST deviations; what is far from both says
 * nothing. Pulled values say about where the step is, since noise moves them least. Beside a step they lean to the level
 * with more neighbours, which may be the wrong one: exactly where a large one is, the raw values decide.
 */
export function placeStep(points: Standardised, step: Step, placing: Placing): Place {
  if (placing.last < placing.first) return { at: step.at, first: step.at, last: step.at, visits: [] };
  const about = coveredPlace(evidenceOf({ ...points, raw: points.values }, step, 1), step, placing);
  const near = {
    first: Math.max(placing.first, about - NEAR),
    last: Math.min(placing.last, about + NEAR),
  };
  const found = { ...step, at: about };
  const { before, after } = centresOf(points, found);
  const isLarge = Math.abs(after - before) > LARGE;
  const at = isLarge ? coveredPlace(evidenceOf(points, found, 1), found, near) : about;
  const { first, last } = rangeOf(points, { ...step, at }, placing);
  const isAt = sideOf(points, { ...step, at });
  const stays = startOfStay(isAt, { ...step, at }, placing.minSegment);
  const visits = visitsOf(isAt, { ...step, at: stays });
  // Two points at the old level were a fix, and what was there before it another time; one may be an outlier that lies there.
  const wasFixed =
    visits.some((visit) => visit < stays) && isAt(stays - 1, 'before') && isAt(stays - 2, 'before');
  return {
    at: stays,
    first: wasFixed ? stays : Math.min(first, stays),
    last: Math.max(last, stays),
    visits,
  };
}

/** Points of each level that its value is taken from: what comes later must not move an old place. */
const CONTEXT = 30;
const FURTHEST = 3.5;
/** Points of a level that may be those of its neighbours. */
const LONGEST_MIXTURE = 10;
/** Deviations from which on single raw values say on which side of a step they are. */
const LARGE = 2.5;
/** How far raw values may move a step. */
const NEAR = 8;
/** As near as people look when a change is reported. */
const REACH = 5;
/** That part of all mass decides nothing. */
const NEARLY = 0.001;
const TIE = 1e-9;
/** Mass that may lie before the range of places, and behind it. */
const OUTSIDE = 0.025;
/** A point clearly lies at a level if it is within so many deviations of it, or a sixth of the step, and that much further from the other one. */
const AT_LEVEL = 2.5;
const CLEAR = 5;

/** How much each point of both levels speaks for the second one: what it is nearer to it than to the first, in squared deviations. */
function evidenceOf({ raw, weights }: Standardised, { from, at, to }: Step, inflation: number): Float64Array {
  const { before, after } = centresOf({ raw, weights }, { from, at, to });
  const evidence = new Float64Array(to - from);
  for (let i = from; i < to; i++) {
    const [value, weight] = [raw[i] as number, (weights[i] as number) / inflation]; // i < to
    evidence[i - from] = loss(weight, value - before) - loss(weight, value - after);
  }
  return evidence;
}

/** How badly two levels fit their points if the step is there. */
export function lossOf({ raw, weights }: RawPoints, step: Step): number {
  const { before, after } = centresOf({ raw, weights }, step);
  let sum = 0;
  for (let i = step.from; i < step.to; i++)
    sum += loss(weights[i] as number, (raw[i] as number) - (i < step.at ? before : after)); // i < to
  return sum;
}

/**
 * Where the step lies if a short level between two others is none: undefined unless its points fit as well to the others,
 * each to the one on its side of the place.
 */
export function placeOfMixture(
  { raw, weights }: Standardised,
  { from, at, end, to }: Step & { readonly end: number },
): number | undefined {
  if (end - at > LONGEST_MIXTURE) return undefined;
  const centre = (start: number, stop: number) =>
    centreOf(raw.subarray(start, stop), weights.subarray(start, stop));
  const [before, own, after] = [
    centre(Math.max(from, at - CONTEXT), at),
    centre(at, end),
    centre(end, Math.min(to, end + CONTEXT)),
  ];
  const distance = (i: number, level: number) => loss(weights[i] as number, (raw[i] as number) - level); // i < end
  let [alone, mixed] = [0, 0];
  for (let i = at; i < end; i++) {
    alone += distance(i, own);
    mixed += distance(i, after);
  }
  let [best, least] = [at, mixed];
  for (let i = at; i < end; i++) {
    mixed += distance(i, before) - distance(i, after);
    if (mixed < least) [best, least] = [i + 1, mixed];
  }
  return least < alone + FURTHEST ** 2 ? best : undefined;
}

/** A point of weight 9 lies as far out as another one at three times its distance. */
const loss = (weight: number, distance: number): number =>
  Math.min(FURTHEST ** 2, weight * distance * distance);

type RawPoints = Pick<Standardised, 'raw' | 'weights'>;

/** Of both levels, by the points next to the step. */
function centresOf({ raw, weights }: RawPoints, { from, at, to }: Step) {
  const centre = (start: number, end: number) =>
    centreOf(raw.subarray(start, end), weights.subarray(start, end));
  return { before: centre(Math.max(from, at - CONTEXT), at), after: centre(at, Math.min(to, at + CONTEXT)) };
}

/** The mean, where a point counts by at most two deviations of the noise from the median. */
function centreOf(values: Float64Array, weights: Float64Array): number {
  const median = selectMedian(values);
  let [pull, all] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i] as number; // as long as the values
    const most = 2 / Math.sqrt(weight);
    pull += weight * Math.max(-most, Math.min(most, (values[i] as number) - median));
    all += weight;
  }
  return median + pull / all;
}

/** Likelihood of each place that is allowed, the largest 1. */
function massOf(evidence: Float64Array, from: number, { first, last }: Room): Float64Array {
  const mass = new Float64Array(last - first + 1);
  let [sum, least] = [0, Number.POSITIVE_INFINITY];
  for (let place = from; place <= last; place++) {
    if (place >= first) {
      mass[place - first] = sum;
      least = Math.min(least, sum);
    }
    sum += evidence[place - from] as number; // place < to
  }
  return mass.map((cost) => Math.exp((least - cost) / 2));
}

/**
 * The place with the most mass around it, REACH to either side, or what comes near to that and has the most itself; the
 * old one where that ties. A small step leaves many places nearly equally good, and the best of them is often a lone one at
 * the rim, where chance put it; a clear step stays where it is.
 */
function coveredPlace(evidence: Float64Array, { from, at }: Step, room: Room): number {
  const mass = massOf(evidence, from, room);
  const up = new Float64Array(mass.length + 1);
  for (let i = 0; i < mass.length; i++) up[i + 1] = (up[i] as number) + (mass[i] as number);
  const around = mass.map(
    (_, i) => (up[Math.min(mass.length, i + REACH + 1)] as number) - (up[Math.max(0, i - REACH)] as number), // within up
  );
  const enough = around.reduce((most, one) => Math.max(most, one), 0) - NEARLY * (up[mass.length] as number);
  const old = at - room.first;
  let [best, most] = [old, -1];
  for (let i = 0; i < mass.length; i++) {
    const one = mass[i] as number; // i < length
    if ((around[i] as number) < enough || one < most - TIE) continue;
    if (one > most + TIE || Math.abs(i - old) < Math.abs(best - old)) [best, most] = [i, one];
  }
  return room.first + best;
}

/** Between which places nearly all mass lies. Points that resemble their neighbours say less together than alone. */
function rangeOf(points: Standardised, step: Step, placing: Placing): Pick<Place, 'first' | 'last'> {
  const mass = massOf(evidenceOf(points, step, placing.inflation), step.from, placing);
  const out = OUTSIDE * mass.reduce((sum, one) => sum + one, 0);
  let [first, last] = [0, mass.length - 1];
  for (let sum = mass[first] as number; sum <= out; sum += mass[first] as number) first++; // less than all of it
  for (let sum = mass[last] as number; sum <= out; sum += mass[last] as number) last--;
  return { first: placing.first + first, last: placing.first + last };
}

/**
 * A level begins where it stays: after the last point that is clearly back at the old level, if fewer than `minSegment`
 * points came before that. Slow for a night, fixed, slow again is a step where it is slow again.
 */
function startOfStay(isAt: SideOf, { at, to }: Step, minSegment: number): number {
  let start = at;
  for (let i = at; i < Math.min(start + minSegment, to - 1); i++) if (isAt(i, 'before')) start = i + 1;
  return start;
}

function visitsOf(isAt: SideOf, { from, at, to }: Step): readonly number[] {
  const visits: number[] = [];
  for (let i = Math.max(from, at - REACH); i < Math.min(to, at + REACH); i++)
    if (isAt(i, i < at ? 'after' : 'before')) visits.push(i);
  return visits;
}

type SideOf = (index: number, side: 'before' | 'after') => boolean;

function sideOf({ raw, weights }: Standardised, step: Step): SideOf {
  const { before, after } = centresOf({ raw, weights }, step);
  const reach = Math.max(AT_LEVEL, Math.abs(after - before) / 6);
  return (index, side) => {
    const root = Math.sqrt(weights[index] as number); // a point of the step
    const [one, other] = side === 'before' ? [before, after] : [after, before];
    const near = Math.abs((raw[index] as number) - one) * root;
    const far = Math.abs((raw[index] as number) - other) * root;
    return near <= reach && far ** 2 - near ** 2 > CLEAR;
  };
}
