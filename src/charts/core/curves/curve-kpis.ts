import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Curve } from './curve.ts';

/**
 * Area under the curve by trapezoids, divided by the length of its axis: the mean height, in the unit of y. A stretch
 * beside a gap counts in neither.
 */
export function normalizedArea({ x, y }: Curve): number {
  if (x.length === 1) return finite(y[0], 'it has one point, a gap');
  let [area, width] = [0, 0];
  for (let at = 1; at < x.length; at++) {
    const step = (x[at] as number) - (x[at - 1] as number); // at < length
    const height = ((y[at] as number) + (y[at - 1] as number)) / 2;
    if (!Number.isFinite(height)) continue;
    area += step * height;
    width += step;
  }
  return finite(width > 0 ? area / width : undefined, 'it has no two points beside each other');
}

/** Mean of the last tenth of the points, at least one. A gap there means that the run ended badly: no value. */
export function finalValue({ y }: Curve): number {
  const count = Math.max(1, Math.ceil(y.length / 10));
  let total = 0;
  for (let at = y.length - count; at < y.length; at++) total += y[at] ?? Number.NaN;
  return finite(total / count, 'its last tenth is not finite');
}

/** The best value that was ever reached. */
export function bestValue({ y }: Curve, better: 'lower' | 'higher'): number {
  let best = Number.NaN;
  for (const value of y) {
    if (Number.isNaN(value)) continue;
    if (Number.isNaN(best) || (better === 'lower' ? value < best : value > best)) best = value;
  }
  return finite(best, 'it has no finite value');
}

function finite(value: number | undefined, reason: string): number {
  if (value !== undefined && Number.isFinite(value)) return value;
  throw new NightmarkError('CURVE_NO_VALUE', `The curve gives no value: ${reason}.`, {
    hint: 'Look at the file of the curve: nan and inf are kept as gaps.',
  });
}
