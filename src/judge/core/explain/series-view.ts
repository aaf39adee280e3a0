import type { ChangePoint, SeriesLevels } from '../levels/levels.ts';
import { orderBySize } from './split-fit.ts';

/** A series with the change that is to be explained. */
export interface ExplainedSeries {
  /** In their order; not a number where there is none. */
  readonly values: Float64Array;
  readonly levels: SeriesLevels;
  readonly change: ChangePoint;
}

/** The same, made ready for many facts. */
export interface SeriesView {
  readonly length: number;
  /** Values, with outliers drawn near to the levels. */
  readonly values: Float64Array;
  readonly order: Int32Array;
  /** 0 at the level before the change, 1 at the level after it, -1 elsewhere. */
  readonly sides: Int32Array;
  /** Number of the level of each point. */
  readonly levels: Int32Array;
  readonly levelCount: number;
  /** Where the change is, and how many points it may be away from there. */
  readonly place: Place;
  readonly otherPlaces: readonly Place[];
  /** Size of the change, as a fraction of the larger level. */
  readonly relativeShift: number;
}

export interface Place {
  readonly index: number;
  readonly tolerance: number;
}

export function viewSeries({ values, levels, change }: ExplainedSeries): SeriesView {
  const near = nearLevels(values, levels, change);
  const sides = new Int32Array(values.length).fill(-1);
  sides.fill(0, change.before.start, change.index);
  sides.fill(1, change.index, change.after.end);
  const numbers = new Int32Array(values.length);
  const larger = Math.max(Math.abs(change.before.value), Math.abs(change.after.value));
  for (const [number, { start, end }] of levels.levels.entries()) numbers.fill(number, start, end);
  return {
    length: values.length,
    values: near,
    order: orderBySize(near),
    sides,
    levels: numbers,
    levelCount: Math.max(1, levels.levels.length),
    place: placeOf(change),
    otherPlaces: levels.changes.filter(({ index }) => index !== change.index).map(placeOf),
    relativeShift: larger > 0 ? Math.abs(change.after.value - change.before.value) / larger : 0,
  };
}

/**
 * A change of d under noise s is found within about (s / d)^2 points of its true place (Hinkley, 1970: the error does
 * not shrink with more points); four times that holds nearly all, and five points are the most that is believed.
 */
function placeOf({ index, before, after, shift }: ChangePoint): Place {
  const ratio = Math.max(before.scale, after.scale) / Math.abs(shift.difference);
  const tolerance = Math.round(4 * ratio ** 2);
  return { index, tolerance: Number.isFinite(tolerance) ? Math.min(tolerance, MOST_POINTS_AWAY) : 0 };
}

const MOST_POINTS_AWAY = 5;

/** Beyond four deviations from the outermost level a value is an outlier and tells no more than that it is high. */
function nearLevels(values: Float64Array, { levels }: SeriesLevels, change: ChangePoint): Float64Array {
  const all = [...levels, change.before, change.after];
  const reach = 4 * all.reduce((most, { scale }) => Math.max(most, scale), 0);
  const low = all.reduce((least, { value }) => Math.min(least, value), Number.POSITIVE_INFINITY) - reach;
  const high = all.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY) + reach;
  return values.map((value) => Math.min(Math.max(value, low), high));
}
