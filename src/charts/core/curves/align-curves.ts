import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Curve } from './curve.ts';

/** Curves of several seeds on one axis: a row for each curve, a column for each place of the grid. */
export interface AlignedCurves {
  readonly x: Float64Array;
  readonly rows: readonly Float64Array[];
}

/**
 * Brings curves onto a grid of `points` places, evenly spaced over the range that all of them cover: beyond it a mean
 * would be that of the seeds that happened to run longer. Between two points of a curve the line counts; beside a gap
 * there is a gap.
 */
export function alignCurves(curves: readonly Curve[], points = 200): AlignedCurves {
  const [low, high] = commonRange(curves);
  const count = low === high ? 1 : Math.max(2, points);
  const x = new Float64Array(count);
  for (let at = 0; at < count; at++)
    x[at] = at === count - 1 ? high : low + ((high - low) * at) / (count - 1);
  return { x, rows: curves.map((curve) => interpolate(curve, x)) };
}

/** The values of a curve at ascending places. */
export function interpolate({ x, y }: Curve, places: Float64Array): Float64Array {
  const values = new Float64Array(places.length).fill(Number.NaN);
  let right = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number; // at < length
    while (right < x.length && (x[right] as number) < place) right++;
    if (right === x.length || (right === 0 && x[0] !== place)) continue;
    const [x1, y1] = [x[right] as number, y[right] as number];
    if (x1 === place) {
      values[at] = y1;
      continue;
    }
    const [x0, y0] = [x[right - 1] as number, y[right - 1] as number]; // right > 0 here
    values[at] = y0 + ((y1 - y0) * (place - x0)) / (x1 - x0);
  }
  return values;
}

function commonRange(curves: readonly Curve[]): readonly [number, number] {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { x } of curves) {
    low = Math.max(low, x[0] ?? Number.NaN);
    high = Math.min(high, x.at(-1) ?? Number.NaN);
  }
  if (curves.length > 0 && low <= high) return [low, high];
  throw new NightmarkError('CURVE_NO_COMMON_RANGE', `${curves.length} curves have no range in common.`, {
    hint: 'Curves can be averaged where all of them have points: look for one that is empty or starts late.',
  });
}
