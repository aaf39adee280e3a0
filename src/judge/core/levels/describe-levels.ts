import type { Shift } from '../../../home/core/changes/change.ts';
import { studentQuantile } from '../../../stats/distributions.ts';
import { medianOfSorted, sortedCopy } from '../../../stats/summary.ts';
import { inflation } from './correlation.ts';
import { findDrift } from './find-drift.ts';
import type { ModePair } from './lasting-modes.ts';
import type { ChangeOptions, ChangePoint, Drift, Level, Mode, SeriesLevels } from './levels.ts';
import type { Place } from './place.ts';
import type { PointColumns } from './point-columns.ts';
import { type RobustMean, robustMean } from './robust-mean.ts';
import type { Season } from './season.ts';

/** Where a new level begins, as usable points. */
export interface FoundCut extends Place {
  readonly p: number;
  /** Of neighbouring points when it was found. */
  readonly correlation: number;
}

/** Levels that cannot change any more, by the point where they begin. */
export type KnownLevels = Map<number, Described>;

export interface FoundLevels {
  readonly points: PointColumns;
  /** Of the series, gaps counted. */
  readonly length: number;
  readonly cuts: readonly FoundCut[];
  /** How many of the cuts are final. */
  readonly settled: number;
  readonly known: KnownLevels;
  readonly correlation: number;
  readonly seasons: readonly Season[];
  /** Modes that last, and between which the newest points go to and fro. */
  readonly pair: ModePair | undefined;
  readonly options: ChangeOptions;
}

/** Computes the value of each level, and the size of each step between two. */
export function describeLevels({
  points,
  length,
  cuts,
  settled,
  known,
  correlation,
  seasons,
  pair,
  options,
}: FoundLevels): SeriesLevels {
  if (points.count === 0) return { levels: [], changes: [], modes: [], noise: { scale: 0, correlation: 0 } };
  const described = [0, ...cuts.map(({ at }) => at)].map((from, index): Described => {
    const old = known.get(from);
    if (old !== undefined && index < settled) return old;
    const to = cuts[index]?.at ?? points.count;
    const visits = cuts.slice(Math.max(0, index - 1), index + 1).flatMap((cut) => cut.visits);
    const level = describe(points, { from, to, visits, isFirst: index === 0, length, options });
    if (index < settled) known.set(from, level);
    return level;
  });
  const levels = described.map(({ level }) => level);
  const changes = cuts.map((cut, index): ChangePoint => {
    const after = described[index + 1] as Described; // one level more than cuts
    const change = after.change ?? changeAt(points, described, { cut, index });
    if (index + 1 < settled) after.change = change;
    return change;
  });
  const newest = cuts.at(-1)?.at ?? 0;
  const present = points.values(Math.max(newest, points.count - MOST), points.count);
  const modes = (pair && modesAt(pair, present)) ?? findModes(present);
  const noise = { scale: commonScale(levels), correlation };
  return { levels, changes, modes, noise, ...(seasons.length > 0 && { seasons }) };
}

interface Described {
  readonly level: Level;
  /** Of its first and of its last points. */
  readonly first: RobustMean;
  readonly last: RobustMean;
  /** That it begins with, where both levels are final. */
  change?: ChangePoint;
}

function changeAt(
  points: PointColumns,
  described: readonly Described[],
  { cut, index }: { readonly cut: FoundCut; readonly index: number },
): ChangePoint {
  const [before, after] = [described[index] as Described, described[index + 1] as Described]; // one level more than cuts
  const shift = shiftBetween(before.last, after.first, cut.correlation);
  const firstSeen = cut.visits.find((visit) => visit < cut.at);
  const to = levelReturnedTo(described.slice(0, index), after, { step: shift.difference, cut });
  return {
    index: after.level.start,
    ...(cut.first < cut.last && {
      range: { first: points.placeOf(cut.first), last: points.placeOf(cut.last) },
    }),
    ...(firstSeen !== undefined && { firstSeen: points.placeOf(firstSeen) }),
    ...(to !== undefined && { returns: { to } }),
    before: before.level,
    after: after.level,
    shift,
    p: cut.p,
  };
}

/**
 * The last of the earlier levels that the new one is back at: it may be the same, and is at most half of the step away for
 * certain, so that a level between two others is a return to neither. What is left of a large step may be certain, too.
 */
function levelReturnedTo(
  earlier: readonly Described[],
  { first }: Described,
  { step, cut }: { readonly step: number; readonly cut: FoundCut },
): number | undefined {
  for (let j = earlier.length - 1; j >= Math.max(0, earlier.length - REMEMBERED); j--) {
    const { last } = earlier[j] as Described; // j < length
    const distance = Math.abs(first.centre - last.centre);
    if (distance > Math.abs(step) / 2) continue;
    const { low, high } = shiftBetween(last, first, cut.correlation);
    const isEqual = (low <= 0 && high >= 0) || distance <= LEFT * Math.abs(step);
    if (isEqual && Math.max(-low, high) <= Math.abs(step) / 2) return j;
  }
  return undefined;
}

/** Part of a step that a revert may leave. */
const LEFT = 0.05;
/** Levels before, of which a return to one is of interest. */
const REMEMBERED = 8;

/** Points that a level is computed from; older ones of a long level say less of it, and each append would pay for them. */
const MOST = 512;

interface Bounds {
  readonly from: number;
  readonly to: number;
  /** Points that belong to the level before or after. */
  readonly visits: readonly number[];
  readonly isFirst: boolean;
  readonly length: number;
  readonly options: ChangeOptions;
}

function describe(points: PointColumns, { from, to, visits, isFirst, length, options }: Bounds): Described {
  const count = to - from;
  const mean = (start: number, end: number) => {
    const isOwn = (_: number, i: number) => !visits.includes(start + i);
    const [values, weights] = [points.values(start, end), points.weights(start, end)];
    return visits.length === 0
      ? robustMean(values, weights)
      : robustMean(values.filter(isOwn), weights.filter(isOwn));
  };
  const last = mean(Math.max(from, to - MOST), to);
  const first = count <= MOST ? last : mean(from, from + MOST);
  const level = {
    start: isFirst ? 0 : points.placeOf(from),
    end: to === points.count ? length : points.placeOf(to),
    value: last.centre,
    scale: last.scale,
    count,
  };
  const drift = driftOf(points, { from: Math.max(from, to - MOST), to, level, options });
  return { level: drift ? { ...level, drift } : level, first, last };
}

interface PointRange {
  readonly from: number;
  readonly to: number;
  readonly level: Level;
  readonly options: ChangeOptions;
}

/** A drift that in all makes less than the smallest effect of interest is none. */
function driftOf(points: PointColumns, { from, to, level, options }: PointRange): Drift | undefined {
  const [places, values, weights] = [
    points.places(from, to),
    points.values(from, to),
    points.weights(from, to),
  ];
  const drift = findDrift({ places, values, weights }, level);
  if (drift === undefined) return undefined;
  const rise = Math.abs(drift.perPoint.difference) * (drift.end - 1 - drift.start);
  return rise < Math.max(options.minDifference, options.minEffect * Math.abs(level.value))
    ? undefined
    : drift;
}

function commonScale(levels: readonly Level[]): number {
  let [squares, count] = [0, 0];
  for (const level of levels) {
    squares += level.scale ** 2 * level.count;
    count += level.count;
  }
  return Math.sqrt(squares / count);
}

/**
 * How far it is from one level to the next, by Welch's interval. Points that resemble their neighbours are fewer than
 * they seem; a short level borrows the spread of the other one, as if that were of PRIOR points. Welch's interval takes
 * the place for known: since it was chosen for the difference it makes, the interval is widened by CHOSEN.
 */
function shiftBetween(before: RobustMean, after: RobustMean, correlation: number): Shift {
  const fewer = inflation(correlation);
  const shared = (before.squares + after.squares) / Math.max(1, before.count + after.count - 2);
  const [one, other] = [errorOf(before, shared, fewer), errorOf(after, shared, fewer)];
  const error = one.error + other.error;
  const difference = after.centre - before.centre;
  const freedom =
    error > 0 ? error ** 2 / (one.error ** 2 / one.freedom + other.error ** 2 / other.freedom) : 1;
  const reach =
    error > 0
      ? CHOSEN * Math.sqrt(error) * studentQuantile((1 + LEVEL) / 2, Math.max(2, freedom / fewer))
      : 0;
  const [low, high] = [difference - reach, difference + reach];
  const base = Math.abs(before.centre);
  const relative = { change: difference / base, low: low / base, high: high / base };
  return { difference, low, high, level: LEVEL, ...(base > 0 ? { relative } : {}) };
}

const LEVEL = 0.95;
const PRIOR = 3;
/** Holds what LEVEL says on noise of real histories (bench/detector). */
const CHOSEN = 1.15;

function errorOf({ squares, count, weight }: RobustMean, shared: number, fewer: number) {
  const freedom = PRIOR + count - 1;
  return { freedom, error: (((PRIOR * shared + squares) / freedom) * fewer) / weight };
}

/**
 * Whether points of one level jump between two values. Splits the sorted values where the squares around both means are
 * least (Otsu, Jenks), and calls the halves modes where all of this holds: each has a tenth of the points and FEWEST at
 * least; the middle of the way between them is nearly empty; and the series went to and fro often, so that it is no
 * step. The bounds were set so that normal, skewed and uniform noise is called bistable in less than 1 of 1,000 series.
 */
export function findModes(values: Float64Array): readonly Mode[] {
  if (values.length < 2 * FEWEST) return [];
  const sorted = sortedCopy(values);
  const split = bestSplit(sorted);
  const [low, high] = [sorted.subarray(0, split), sorted.subarray(split)];
  const rarer = Math.min(low.length, high.length);
  if (rarer < Math.max(FEWEST, values.length / 10)) return [];
  const [bottom, top] = [medianOfSorted(low), medianOfSorted(high)];
  const isBetween = (value: number) =>
    value > bottom + (top - bottom) / 4 && value < top - (top - bottom) / 4;
  if (sorted.filter(isBetween).length > rarer / 10) return [];
  if (crossings(values, sorted[split] as number) < MIN_CROSSINGS) return [];
  return [
    { value: bottom, share: low.length / values.length },
    { value: top, share: high.length / values.length },
  ];
}

/** Undefined unless points lie at both. */
function modesAt({ low, high }: ModePair, values: Float64Array): readonly Mode[] | undefined {
  const above = values.filter((value) => value > (low + high) / 2).length;
  const below = values.length - above;
  if (Math.min(above, below) < FEWEST) return undefined;
  return [
    { value: low, share: below / values.length },
    { value: high, share: above / values.length },
  ];
}

const FEWEST = 10;
const MIN_CROSSINGS = 4;

/** How many of the sorted values belong to the lower half. */
function bestSplit(sorted: Float64Array): number {
  const middle = medianOfSorted(sorted);
  let total = 0;
  for (const value of sorted) total += value - middle;
  let [sum, best, most] = [0, 1, -1];
  for (let count = 1; count < sorted.length; count++) {
    sum += (sorted[count - 1] as number) - middle; // count <= length
    const gain = sum ** 2 / count + (total - sum) ** 2 / (sorted.length - count);
    if (gain > most) [best, most] = [count, gain];
  }
  return best;
}

function crossings(values: Float64Array, upper: number): number {
  let count = 0;
  for (let i = 1; i < values.length; i++)
    if ((values[i] as number) >= upper !== (values[i - 1] as number) >= upper) count++;
  return count;
}
