import type { Shift } from '../../../home/core/changes/change.ts';
import { findDrift } from './find-drift.ts';
import { findModes } from './find-modes.ts';
import type { ChangePoint, Drift, Level, SeriesLevels } from './levels.ts';
import type { ChangeOptions } from './options.ts';
import type { PointColumns } from './point-columns.ts';
import { type RobustMean, robustMean } from './robust-mean.ts';
import { shiftBetween } from './shift-between.ts';

/** Where a new level begins, as a usable point. */
export interface FoundCut {
  readonly at: number;
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
  /** How many of the cuts stay for ever. */
  readonly settled: number;
  readonly known: KnownLevels;
  readonly correlation: number;
  readonly options: ChangeOptions;
}

/** Says of each level where it is, and of each step between two how large. */
export function describeLevels({
  points,
  length,
  cuts,
  settled,
  known,
  correlation,
  options,
}: FoundLevels): SeriesLevels {
  if (points.count === 0) return { levels: [], changes: [], modes: [], noise: { scale: 0, correlation: 0 } };
  const described = [0, ...cuts.map(({ at }) => at)].map((from, index): Described => {
    const old = known.get(from);
    if (old !== undefined && index < settled) return old;
    const to = cuts[index]?.at ?? points.count;
    const level = describe(points, { from, to, isFirst: index === 0, length, options });
    if (index < settled) known.set(from, level);
    return level;
  });
  const levels = described.map(({ level }) => level);
  const changes = cuts.map((cut, index): ChangePoint => {
    const [one, other] = [described[index] as Described, described[index + 1] as Described]; // one level more than cuts
    const isKnown = index + 1 < settled;
    const shift = (isKnown ? one.shift : undefined) ?? shiftBetween(one.last, other.first, cut.correlation);
    if (isKnown) one.shift = shift;
    return { index: other.level.start, before: one.level, after: other.level, shift, p: cut.p };
  });
  const newest = cuts.at(-1)?.at ?? 0;
  const modes = findModes(points.values(Math.max(newest, points.count - MOST), points.count));
  return { levels, changes, modes, noise: { scale: commonScale(levels), correlation } };
}

interface Described {
  readonly level: Level;
  /** Of its first and of its last points. */
  readonly first: RobustMean;
  readonly last: RobustMean;
  /** To the next level, where both are settled. */
  shift?: Shift;
}

/** Points that a level is computed from; older ones of a long level say less of it, and each append would pay for them. */
const MOST = 512;

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly isFirst: boolean;
  readonly length: number;
  readonly options: ChangeOptions;
}

function describe(points: PointColumns, { from, to, isFirst, length, options }: Bounds): Described {
  const count = to - from;
  const mean = (start: number, end: number) =>
    robustMean(points.values(start, end), points.weights(start, end));
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

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly level: Level;
  readonly options: ChangeOptions;
}

/** A drift that in all makes less than the smallest effect of interest is none. */
function driftOf(points: PointColumns, { from, to, level, options }: Stretch): Drift | undefined {
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
