import { studentCdf } from '../../../stats/distributions.ts';
import { median, medianOfSorted } from '../../../stats/summary.ts';
import { distanceFromMiddle, type SeriesView } from './explained-series.ts';
import type { Cause, FactColumn, Fit } from './explanation.ts';

/**
 * Telemetry moves all the time: it counts as changed where its middle steps at the change by more than chance allows
 * for the best of `tests` columns, and counts the more the better it goes with the values everywhere.
 */
export function telemetryCause(column: FactColumn, view: SeriesView, tests: number): Found {
  const readings = Float64Array.from({ length: view.length }, (_, index) => numberAt(column, index));
  const sides = [sideOf(readings, view, 0), sideOf(readings, view, 1)] as const;
  const [before, after] = [sides[0].slice().sort(), sides[1].slice().sort()];
  if (before.length === 0 || after.length === 0) return 'unknown';
  const [from, to] = [medianOfSorted(before), medianOfSorted(after)];
  const freedom = before.length + after.length - 2;
  if (freedom < 1 || from === to) return 'unchanged';
  const within = (distanceFromMiddle(before) + distanceFromMiddle(after)) / freedom;
  // The mean distance from the median of normal values is 0.798 of their deviation.
  const error = (within / 0.798) * Math.sqrt(1 / before.length + 1 / after.length);
  // Readings have heavy tails, whatever their number: more than five degrees of freedom are not believed.
  const p = 2 * studentCdf(-Math.abs(to - from) / error, Math.min(freedom, 5));
  if (!(p < 0.05 / tests) || !isLarge({ from, to, sides, relative: view.relativeShift })) return 'unchanged';

  const both = readings
    .filter((value, index) => (view.sides[index] ?? -1) >= 0 && Number.isFinite(value))
    .sort();
  const whole = distanceFromMiddle(both) / (freedom + 1);
  const local = Math.max(0, 1 - within / whole);
  // Below one: telemetry is as often an effect as a cause, so what was set goes first.
  const score = (0.9 * (2 * local + Math.abs(rankCorrelation(readings, view.values)))) / 3;
  const { group, name, unit } = column;
  return {
    cause: {
      facts: [{ group, name, ...(unit === undefined ? {} : { unit }), before: from, after: to }],
      score,
      fit: fitOf(score),
      offset: 0,
      elsewhere: { withEffect: 0, without: 0 },
    },
  };
}

function numberAt({ values }: FactColumn, index: number): number {
  const value = values[index];
  return typeof value === 'number' ? value : Number.NaN;
}

function sideOf(readings: Float64Array, { sides }: SeriesView, side: number): Float64Array {
  return readings.filter((value, index) => sides[index] === side && Number.isFinite(value));
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly sides: readonly [Float64Array, Float64Array];
  /** Size of the change of the values, as a fraction of their level. */
  readonly relative: number;
}

/**
 * Chance is not all: a reading that drifts from night to night steps everywhere, so the step must be three times what it
 * moves within a side (a straight line moves half as much there). And a pressure of 99 % in place of 97 % does not make
 * a program slower by a fifth: half of the change of the values, or 5 %, is required.
 */
function isLarge({ from, to, sides, relative }: Step): boolean {
  const step = Math.abs(to - from);
  const size = Math.max(Math.abs(from), Math.abs(to));
  return step >= Math.min(0.05, relative / 2) * size && sides.every((side) => step > 3 * driftOf(side));
}

/** From the middle of the first half to that of the second. */
function driftOf(readings: Float64Array): number {
  const half = readings.length >> 1;
  if (half === 0) return 0;
  return Math.abs(median(readings.subarray(0, half)) - median(readings.subarray(-half)));
}

/** Spearman's: by ranks a reading of a sensor that fails is no more than the largest of them. */
function rankCorrelation(readings: Float64Array, values: Float64Array): number {
  const isUsed = (_: number, index: number) =>
    Number.isFinite(readings[index]) && Number.isFinite(values[index]);
  const [a, b] = [ranks(readings.filter(isUsed)), ranks(values.filter(isUsed))];
  let [ab, aa, bb] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] ?? 0, b[index] ?? 0];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** Rank of each value, counted from the middle one; equal values share the middle of their ranks. */
function ranks(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  return values.map(
    (value) => firstFrom(sorted, (it) => it >= value) + firstFrom(sorted, (it) => it > value) - sorted.length,
  );
}

/** Place of the first sorted value that is far enough. */
function firstFrom(sorted: Float64Array, isFar: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFar(sorted[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Result for one fact. Causes with one signature cannot be distinguished. */
export type Found = 'unchanged' | 'unknown' | { readonly cause: Cause; readonly signature?: string };

/** Words for scores; one other change without effect halves a score. */
export function fitOf(score: number): Fit {
  return score >= 0.6 ? 'good' : score >= 0.25 ? 'partly' : 'poor';
}
