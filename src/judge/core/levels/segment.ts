import { correlationOf, inflation, type LevelMemory, memoryOf } from './correlation.ts';
import type { ChangeOptions } from './levels.ts';
import { partition } from './partition.ts';
import { type Place, placeOfMixture, placeStep, type Room } from './place.ts';
import { refine, type SharedNoise, sharedVariance, stepProbability } from './refine.ts';
import { commonSlope, isStaircaseOfDrift } from './slopes.ts';
import { type Standardised, standardise } from './standardise.ts';
import { meanOver, type Step, type Sums, squaresOver, sumsOf } from './sums.ts';
import { isJump, isWalk } from './walk.ts';

/** A range of usable points in which changes are searched. */
export interface PointRange {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  /** No change is searched before this index: what lies there is final. */
  readonly firstCut: number;
}

export interface Cut extends Place {
  readonly p: number;
}

export interface Segmented {
  readonly cuts: readonly Cut[];
  /** Correlation of neighbouring points around the levels. */
  readonly correlation: number;
}

/**
 * Finds the levels of a range. Where all of them seem to rise or fall alike, they are searched again without that drift, and
 * the cheaper description holds, a drift being as dear as a step: it looks like a flight of stairs, and hides the steps in it.
 */
export function segment(range: PointRange, options: ChangeOptions): Segmented {
  const level = searchLevels(range, options);
  if (level.drift === 0) return level;
  const middle = range.values.length / 2;
  const values = range.values.map((value, i) => value - level.drift * (i - middle));
  const drifting = searchLevels({ ...range, values }, options);
  return drifting.cost + level.price < level.cost ? drifting : level;
}

interface Description extends Segmented {
  /** From one point to the next, in all levels; 0 where there seems to be none. */
  readonly drift: number;
  /** Squares that are left, plus a price for each step; and the price. */
  readonly cost: number;
  readonly price: number;
}

const NOTHING: Description = { cuts: [], correlation: 0, drift: 0, cost: 0, price: 0 };

/** Finds too many levels at a low price, then merges neighbours while some cannot be distinguished. */
function searchLevels(range: PointRange, options: ChangeOptions): Description {
  const { minSegment } = options;
  if (range.values.length < 2 * minSegment) return NOTHING;
  const clean = standardise(range.values, range.weights);
  const length = clean.values.length;
  const work: Work = {
    clean,
    sums: sumsOf(clean.values, clean.weights),
    firstCut: range.firstCut,
    options,
    memories: new Map(),
  };
  if (clean.scale === 0) return NOTHING;
  const penalty = PRICE * Math.log(length) + BASE_PRICE;
  let bounds = [0, ...partition(work.sums, { penalty, minSegment, firstCut: range.firstCut }), length];
  placeAll(work, bounds, refine);
  for (let round = 0; round < ROUNDS; round++) {
    bounds = merge(work, bounds);
    placeAll(work, bounds, refine);
  }
  bounds = withoutMixtures(work, bounds);
  if (isWalk(clean.raw))
    bounds = bounds.filter((at) => at === 0 || at === length || isJump(clean.raw, at, minSegment));
  const noise = noiseOf(work, bounds);
  const cuts = cutsOf(work, bounds, noise);
  const price = penalty * noise.variance * clean.scale ** 2;
  const squares = bounds
    .slice(1)
    .reduce((sum, to, j) => sum + squaresOver(work.sums, { from: bounds[j] as number, to }), 0); // as many
  return {
    cuts,
    correlation: noise.correlation,
    drift: driftOf(work, bounds, noise) * clean.scale,
    cost: squares * clean.scale ** 2 + cuts.length * price,
    price,
  };
}

/** What all levels share, or what a flight of stairs has in all. */
function driftOf({ sums }: Work, bounds: readonly number[], noise: SharedNoise): number {
  const shared = commonSlope(sums, bounds, noise);
  if (shared !== 0 || bounds.length < 5) return shared;
  const rises = bounds.slice(1, -1).map((_, j) => riseAt(sums, stepAt(bounds, j + 1)));
  const isStaircase = rises.every((rise) => rise > 0) || rises.every((rise) => rise < 0);
  return isStaircase ? commonSlope(sums, [0, sums.length], noise) : 0;
}

interface Work {
  readonly clean: Standardised;
  readonly sums: Sums;
  readonly firstCut: number;
  readonly options: ChangeOptions;
  /** Of levels that were computed already, by their bounds: a merge makes one new level. */
  readonly memories: Map<number, LevelMemory | undefined>;
}

/** Of a level in the first partition, in variances: for each logarithm of points, and at all. Low, since merging decides. */
const PRICE = 2.2;
const BASE_PRICE = 4;
/** Places that could have been found, of each point: neighbouring places share nearly all their points. */
const PLACES = 0.6;
/** Places move a little when levels are merged, and with them the levels. */
const ROUNDS = 2;

function noiseOf(work: Work, bounds: readonly number[]): SharedNoise & { readonly correlation: number } {
  const { clean, sums, memories } = work;
  const levels = bounds.slice(1).map((to, j) => {
    const from = bounds[j] as number; // as many as ends
    const key = from * (sums.length + 1) + to;
    if (!memories.has(key)) memories.set(key, memoryOf(clean.values, sums, { from, to }));
    return memories.get(key);
  });
  const correlation = correlationOf(levels);
  return { correlation, inflation: inflation(correlation), variance: sharedVariance(sums, bounds) };
}

/** Takes the least certain bound out until each one that is left is certain enough. */
function merge(work: Work, bounds: readonly number[]): number[] {
  const left = [...bounds];
  while (left.length > 2) {
    const noise = noiseOf(work, left);
    let [worst, least] = [-1, work.options.maxP];
    for (let j = 1; j + 1 < left.length; j++) {
      const step = stepAt(left, j);
      const p = isTooSmall(work, step) ? 1 : probability(work, noise, step);
      if (p >= least) [worst, least] = [j, p];
    }
    if (worst < 0) break;
    left.splice(worst, 1);
  }
  return withoutDrifts(work, left);
}

/** Takes out bounds of levels that go one way as a line does. */
function withoutDrifts(work: Work, bounds: readonly number[]): number[] {
  const noise = noiseOf(work, bounds);
  const left = [...bounds];
  const isUp = (j: number) => riseAt(work.sums, stepAt(left, j)) > 0;
  for (let first = 1; first + 2 < left.length; first++) {
    let last = first;
    while (last + 2 < left.length && isUp(last + 1) === isUp(first)) last++;
    if (last > first && isStaircaseOfDrift(work.sums, left.slice(first - 1, last + 2), noise))
      left.splice(first, last - first + 1);
  }
  return left;
}

const riseAt = (sums: Sums, { from, at, to }: Step): number =>
  meanOver(sums, { from: at, to }) - meanOver(sums, { from, to: at });

/** Of a step, times the places where one could have been found. */
function probability({ sums }: Work, noise: SharedNoise, step: Step): number {
  return Math.min(1, stepProbability(sums, step, noise) * sums.length * PLACES);
}

function isTooSmall({ sums, clean, options }: Work, { from, at, to }: Step): boolean {
  if (options.minDifference === 0 && options.minEffect === 0) return false;
  const before = meanOver(sums, { from, to: at }) * clean.scale + clean.centre;
  const after = meanOver(sums, { from: at, to }) * clean.scale + clean.centre;
  return Math.abs(after - before) < Math.max(options.minDifference, options.minEffect * Math.abs(before));
}

function placeAll(work: Work, bounds: number[], place: typeof refine): void {
  for (let j = 1; j + 1 < bounds.length; j++) {
    const step = stepAt(bounds, j);
    bounds[j] = place(work.clean, work.sums, { ...step, room: roomOf(work, step) });
  }
}

/** Takes out levels whose points are those of the levels around them: slow, fixed, slow again has no level half way. */
function withoutMixtures(work: Work, bounds: readonly number[]): number[] {
  const left = [...bounds];
  for (let j = 1; j + 2 < left.length; ) {
    const [from, at, end, to] = left.slice(j - 1, j + 3) as [number, number, number, number]; // j + 2 < length
    const place = at >= work.firstCut ? placeOfMixture(work.clean, { from, at, end, to }) : undefined;
    if (place === undefined) j++;
    else left.splice(j, 2, place);
  }
  return left;
}

/** One step after the other: a place is a bound of the next. Too few points that stayed are no level yet. */
function cutsOf(work: Work, bounds: readonly number[], noise: SharedNoise): readonly Cut[] {
  const { minSegment } = work.options;
  const cuts: Cut[] = [];
  for (let j = 1; j + 1 < bounds.length; j++) {
    const p = probability(work, noise, stepAt(bounds, j));
    const step = { ...stepAt(bounds, j), from: cuts.at(-1)?.at ?? 0 };
    const placing = { ...roomOf(work, step), minSegment, inflation: noise.inflation };
    const place = placeStep(work.clean, step, placing);
    if (place.at + minSegment <= step.to) cuts.push({ ...place, p });
  }
  return cuts;
}

const roomOf = ({ firstCut, options }: Work, { from, to }: Step): Room => ({
  first: Math.max(from + options.minSegment, firstCut),
  last: to - options.minSegment,
});

const stepAt = (bounds: readonly number[], j: number): Step => ({
  from: bounds[j - 1] as number, // 0 < j < length - 1
  at: bounds[j] as number,
  to: bounds[j + 1] as number,
});
