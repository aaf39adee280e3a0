import type { ChangePoint, Level, SeriesLevels } from '../levels/levels.ts';

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

/** Beyond four deviations from the outermost level a value is an outlier: only that it is high counts. */
function nearLevels(values: Float64Array, { levels }: SeriesLevels, change: ChangePoint): Float64Array {
  const all = [...levels, change.before, change.after];
  const reach = 4 * all.reduce((most, { scale }) => Math.max(most, scale), 0);
  const low = all.reduce((least, { value }) => Math.min(least, value), Number.POSITIVE_INFINITY) - reach;
  const high = all.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY) + reach;
  return values.map((value) => Math.min(Math.max(value, low), high));
}

/** A part of a series around its change, with the index of its first point in the whole. */
export interface SeriesWindow {
  readonly start: number;
  readonly series: ExplainedSeries;
}

/** At most `most` points: facts of years ago cost as much as those of last week and say less. */
export function windowSeries(series: ExplainedSeries, most: number): SeriesWindow {
  const { values, levels, change } = series;
  if (values.length <= most) return { start: 0, series };
  const start = Math.max(0, Math.min(change.index - Math.floor(most / 2), values.length - most));
  const end = start + most;
  const cutLevel = (level: Level): Level => ({
    ...level,
    start: Math.max(level.start, start) - start,
    end: Math.min(level.end, end) - start,
  });
  const cutChange = (it: ChangePoint): ChangePoint => ({
    ...it,
    index: it.index - start,
    before: cutLevel(it.before),
    after: cutLevel(it.after),
  });
  const isInside = (it: Level) => it.end > start && it.start < end;
  const inside = levels.changes.filter(({ index }) => index > start && index < end);
  return {
    start,
    series: {
      values: values.subarray(start, end),
      change: cutChange(change),
      levels: {
        ...levels,
        levels: levels.levels.filter(isInside).map(cutLevel),
        changes: inside.map(cutChange),
      },
    },
  };
}

/** Places of finite values, by size: with it the middle of each group is found without sorting again. */
function orderBySize(values: Float64Array): Int32Array {
  const places = Int32Array.from(values.keys()).filter((index) => Number.isFinite(values[index]));
  return places.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
}

export interface SplitInput {
  readonly values: Float64Array;
  /** From orderBySize. */
  readonly order: Int32Array;
  /** Group of each point; below 0: left out. */
  readonly labels: Int32Array;
  readonly groups: number;
}

/**
 * The part of the spread that disappears when each group has a middle of its own: 1 where values are the same within
 * each group, 0 where grouping helps no more than chance. Spread is the sum of distances from the median, which an
 * outlier cannot rule as it rules squares; it counts by degrees of freedom, as the adjusted coefficient of
 * determination does, or a group for each point would explain everything.
 */
export function explainedPart(input: SplitInput): number {
  const whole = spreadWithin({
    ...input,
    labels: input.labels.map((label) => Math.min(label, 0)),
    groups: 1,
  });
  const split = spreadWithin(input);
  const freedom = split.count - split.groups;
  if (whole.sum === 0 || freedom < 1) return 0;
  return 1 - split.sum / freedom / (whole.sum / (whole.count - 1));
}

interface Spread {
  /** Sum of the distances from the median of the own group. */
  readonly sum: number;
  readonly count: number;
  /** Groups that have a point. */
  readonly groups: number;
}

function spreadWithin({ values, order, labels, groups }: SplitInput): Spread {
  const starts = new Int32Array(groups + 1);
  for (const place of order) {
    const label = labels[place] ?? -1;
    if (label >= 0) starts[label + 1] = (starts[label + 1] ?? 0) + 1;
  }
  for (let label = 0; label < groups; label++)
    starts[label + 1] = (starts[label + 1] ?? 0) + (starts[label] ?? 0);
  const count = starts[groups] ?? 0;
  const sorted = new Float64Array(count);
  const next = starts.slice();
  for (const place of order) {
    const label = labels[place] ?? -1;
    if (label < 0) continue;
    sorted[next[label] ?? 0] = values[place] ?? 0;
    next[label] = (next[label] ?? 0) + 1;
  }
  let [sum, used] = [0, 0];
  for (let label = 0; label < groups; label++) {
    const group = sorted.subarray(starts[label], starts[label + 1]);
    if (group.length > 0) used++;
    sum += distanceFromMiddle(group);
  }
  return { sum, count, groups: used };
}

/** Sum of the distances from the median: outer values minus inner ones, pair by pair. */
export function distanceFromMiddle(sorted: Float64Array): number {
  let sum = 0;
  for (let low = 0, high = sorted.length - 1; low < high; low++, high--)
    sum += (sorted[high] ?? 0) - (sorted[low] ?? 0);
  return sum;
}
