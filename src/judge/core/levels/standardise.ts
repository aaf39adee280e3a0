import { selectMedian, selectQuantile } from './select.ts';
import { usualWeight } from './sums.ts';

/** A range of a series in units of its own noise. */
export interface Standardised {
  /** (value - centre) / scale, outliers pulled in. */
  readonly values: Float64Array;
  /** The same with outliers as they are. */
  readonly raw: Float64Array;
  /** Around 1. */
  readonly weights: Float64Array;
  readonly centre: number;
  /** Standard deviation of a point, whatever levels there are; 0 where nothing ever changes. */
  readonly scale: number;
}

/**
 * Pulls each value to at most REACH deviations from the median of its neighbours: an outlier then counts as a far
 * value, not by its distance, while a level of more than half a window stays as it is. The deviation is that of
 * neighbours from each other, which a change of level hardly touches; but where a fifth of the points lies further away
 * than it lets expect, as where a series jumps between two values, those are not outliers and it is theirs.
 */
export function standardise(raw: Float64Array, rawWeights: Float64Array): Standardised {
  const usual = usualWeight(rawWeights);
  const weights = rawWeights.map((weight) => weight / usual);
  const around = runningMedian(raw, WINDOW, NARROWEST);
  // Any value near the others will do: it keeps digits when squares are summed up.
  const centre = around[0] ?? 0;
  const neighbours = scaleOfDifferences(raw, weights);
  if (!(neighbours > 0)) {
    const none = new Float64Array(raw.length);
    return { values: none, raw: none, weights, centre, scale: 0 };
  }
  const roots = weights.map(Math.sqrt);
  keepShortLevels(raw, around, neighbours);
  const distances = raw.map(
    (value, index) => Math.abs(value - (around[index] as number)) * (roots[index] as number), // as long as the values
  );
  const scale = Math.max(neighbours, selectQuantile(distances, NEAR) / NEAR_DISTANCE);
  const values = raw.map((value, index) => {
    const reach = (REACH * scale) / (roots[index] as number);
    const middle = around[index] as number;
    return (Math.max(middle - reach, Math.min(middle + reach, value)) - centre) / scale;
  });
  return { values, raw: raw.map((value) => (value - centre) / scale), weights, centre, scale };
}

/**
 * Three or more of five neighbours that are far from the median of the window and near to each other are a short level, not
 * outliers, which are as far from each other: their own median counts. What was reverted after a few nights was there.
 */
function keepShortLevels(raw: Float64Array, around: Float64Array, scale: number): void {
  const few = runningMedian(raw, FEW);
  few.forEach((own, index) => {
    if (Math.abs(own - (around[index] as number)) <= FAR * scale) return; // as many
    const from = Math.max(0, Math.min(raw.length - FEW, index - (FEW >> 1)));
    const alike = raw.subarray(from, from + FEW).filter((value) => Math.abs(value - own) <= ALIKE * scale);
    if (2 * alike.length > FEW) around[index] = own;
  });
}

const FEW = 5;
const FAR = 8;
const ALIKE = 2.5;

/** Found most small steps at few false alarms in bench/detector, of 7 to 25 and 1.5 to 4. */
const WINDOW = 15;
const REACH = 1.8;
/** Near the end: three new points are not outliers. */
const NARROWEST = 5;

/** That share of normal points lies within so many deviations. */
const NEAR = 0.8;
const NEAR_DISTANCE = 1.2815515655446004;

/** Median distance of normal neighbours, and their mean distance, for a deviation of 1. */
const MEDIAN_DISTANCE = 0.6744897501960817 * Math.SQRT2;
const MEAN_DISTANCE = 2 / Math.sqrt(Math.PI);

/** Below so many units of the last digit of the largest value, differences are rounding. */
const ROUNDING = 8 * Number.EPSILON;

function scaleOfDifferences(raw: Float64Array, weights: Float64Array): number {
  if (raw.length < 2) return 0;
  const distances = new Float64Array(raw.length - 1);
  let largest = Math.abs(raw[0] as number);
  for (let i = 1; i < raw.length; i++) {
    const [one, other] = [weights[i - 1] as number, weights[i] as number];
    const distance =
      Math.abs((raw[i] as number) - (raw[i - 1] as number)) / Math.sqrt((1 / one + 1 / other) / 2);
    distances[i - 1] = distance;
    largest = Math.max(largest, Math.abs(raw[i] as number));
  }
  const typical = selectMedian(distances) / MEDIAN_DISTANCE;
  const scale = typical > ROUNDING * largest ? typical : scaleOfRareDifferences(distances);
  return scale > ROUNDING * largest ? scale : 0;
}

/** Where more than half of the neighbours are equal, such as counts that rarely change: a spike counts like a small difference. */
function scaleOfRareDifferences(distances: Float64Array): number {
  const some = distances.filter((distance) => distance > 0).sort();
  const most = some[some.length >> 2] ?? 0;
  return some.reduce((sum, distance) => sum + Math.min(most, distance), 0) / distances.length / MEAN_DISTANCE;
}

/**
 * Median of the `window` values around each one; of the first ones near the beginning. Near the end of fewer, so that they
 * still lie around it, but of `narrowest` at least: what is new must not wait for half a window. Keeps the window sorted: a point costs at most a pass over the window. Both are odd.
 */
export function runningMedian(values: Float64Array, window: number, narrowest = window): Float64Array {
  const size = Math.min(window, values.length);
  const medians = new Float64Array(values.length);
  const sorted = values.slice(0, size).sort();
  const half = size >> 1;
  for (let index = 0; index < values.length; index++) {
    const entering = index + size - half - 1;
    if (index > half && entering < values.length)
      replace(sorted, values[entering - size] as number, values[entering] as number); // both within the values
    medians[index] =
      size % 2 === 1
        ? (sorted[half] as number)
        : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
  }
  narrowAtEnd(values, medians, { half, narrowest });
  return medians;
}

function narrowAtEnd(
  values: Float64Array,
  medians: Float64Array,
  { half, narrowest }: { readonly half: number; readonly narrowest: number },
): void {
  const last = values.length - 1;
  for (let place = 0; place < half; place++) {
    const size = Math.max(narrowest, 2 * place + 1);
    if (size >= 2 * half + 1 || size > values.length) return;
    medians[last - place] = selectMedian(values.subarray(last + 1 - size));
  }
}

/** Puts one value into a sorted list in place of another, moving only what lies between them. */
function replace(sorted: Float64Array, leaving: number, entering: number): void {
  let at = 0;
  while (sorted[at] !== leaving) at++;
  for (; at + 1 < sorted.length && (sorted[at + 1] as number) < entering; at++)
    sorted[at] = sorted[at + 1] as number;
  for (; at > 0 && (sorted[at - 1] as number) > entering; at--) sorted[at] = sorted[at - 1] as number;
  sorted[at] = entering;
}
