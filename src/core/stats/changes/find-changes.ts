import type { ChangePoint, Level, SeriesLevels, Shift } from '../../model/change.ts';
import { medianAbsoluteDeviation } from '../robust-scale.ts';
import { mean, median } from '../summary.ts';
import { welchTest } from '../t-tests.ts';
import { CHANGE_DEFAULTS, type ChangeOptions, type SeriesInput } from './options.ts';

/** Levels of a series and the changes between them. */
export function findChanges({ values }: SeriesInput, options: Partial<ChangeOptions> = {}): SeriesLevels {
  const chosen = { ...CHANGE_DEFAULTS, ...options };
  const places = Int32Array.from(values.keys()).filter((index) => Number.isFinite(values[index]));
  const usable = Float64Array.from(places, (index) => values[index] ?? 0);
  if (usable.length === 0) return { levels: [], changes: [], modes: [], noise: { scale: 0, correlation: 0 } };
  const cuts = split(usable, { from: 0, to: usable.length }, chosen);
  const bounds = [0, ...cuts, usable.length];
  const levels = bounds.slice(1).map((end, index): Level => {
    const part = usable.subarray(bounds[index], end);
    const start = index === 0 ? 0 : (places[bounds[index] ?? 0] ?? 0);
    const stop = end === usable.length ? values.length : (places[end] ?? values.length);
    return {
      start,
      end: stop,
      value: median(part),
      scale: medianAbsoluteDeviation(part),
      count: part.length,
    };
  });
  const changes = levels.slice(1).map((after, index): ChangePoint => {
    const before = levels[index] ?? after;
    const { shift, p } = shiftBetween(
      usable.subarray(bounds[index], bounds[index + 1]),
      usable.subarray(bounds[index + 1], bounds[index + 2]),
    );
    return { index: after.start, before, after, shift, p };
  });
  return {
    levels,
    changes,
    modes: [],
    noise: { scale: median(levels.map(({ scale }) => scale)), correlation: 0 },
  };
}

/** Halves the stretch where its halves differ most, as long as they differ. */
function split(
  values: Float64Array,
  { from, to }: { readonly from: number; readonly to: number },
  options: ChangeOptions,
): readonly number[] {
  const at = bestCut(values, from, to, options.minSegment);
  if (at === undefined) return [];
  const { shift, p } = shiftBetween(values.subarray(from, at), values.subarray(at, to));
  const isLarge =
    Math.abs(shift.difference) >= options.minDifference &&
    Math.abs(shift.relative?.change ?? Number.POSITIVE_INFINITY) >= options.minEffect;
  if (!isLarge || !(p < options.maxP / (to - from))) return [];
  return [...split(values, { from, to: at }, options), at, ...split(values, { from: at, to }, options)];
}

function bestCut(values: Float64Array, from: number, to: number, minSegment: number): number | undefined {
  let sum = 0;
  const whole = mean(values.subarray(from, to)) * (to - from);
  let best: { at: number; gain: number } | undefined;
  for (let at = from + 1; at <= to - minSegment; at++) {
    sum += values[at - 1] ?? 0;
    const [left, right] = [at - from, to - at];
    const gain = sum ** 2 / left + (whole - sum) ** 2 / right - whole ** 2 / (left + right);
    if (left >= minSegment && (best === undefined || gain > best.gain)) best = { at, gain };
  }
  return best?.at;
}

function shiftBetween(
  before: Float64Array,
  after: Float64Array,
): { readonly shift: Shift; readonly p: number } {
  const level = 0.95;
  const { estimate: difference, low, high, p } = welchTest(after, before, { level });
  const base = Math.abs(median(before));
  const relative = { change: difference / base, low: low / base, high: high / base };
  return { shift: { difference, low, high, level, ...(base > 0 ? { relative } : {}) }, p };
}
