import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** A learning curve: points in ascending order of x, each x once. NaN in y is a gap: it was measured and is not a number. */
export interface Curve {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * A curve out of the points of a file, in whatever order. Points without a finite x are left out; of several with the
 * same x the last counts, since a run that went on from a snapshot writes those again.
 */
export function makeCurve(x: ArrayLike<number>, y: ArrayLike<number>): Curve {
  if (isAscending(x))
    return { x: Float64Array.from(x), y: Float64Array.from(x, (_, row) => finiteOrGap(y[row])) };
  const kept: number[] = [];
  for (let row = 0; row < x.length; row++) if (Number.isFinite(x[row])) kept.push(row);
  kept.sort((a, b) => (x[a] as number) - (x[b] as number) || a - b); // indices of x
  const last = kept.filter((row, at) => at === kept.length - 1 || x[row] !== x[kept[at + 1] as number]);
  return {
    x: Float64Array.from(last, (row) => x[row] as number),
    y: Float64Array.from(last, (row) => finiteOrGap(y[row])),
  };
}

/** As it is kept among the results of a test: JSON has no NaN, so a gap is null. */
export function curveToJson({ x, y }: Curve): JsonObject {
  return { x: [...x], y: Array.from(y, (value) => (Number.isNaN(value) ? null : value)) };
}

/** The curve that was kept; undefined when invalid. */
export function curveFromJson(value: JsonValue | undefined): Curve | undefined {
  if (!isJsonObject(value)) return undefined;
  const { x, y } = value;
  if (!Array.isArray(x) || !Array.isArray(y) || x.length !== y.length) return undefined;
  return makeCurve(x.map(toNumber), y.map(toNumber));
}

/** Nearly all files are in order already. */
function isAscending(x: ArrayLike<number>): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < x.length; row++) {
    const place = x[row] as number; // row < length
    if (!(place > before && place < Number.POSITIVE_INFINITY)) return false;
    before = place;
  }
  return true;
}

function finiteOrGap(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : Number.NaN;
}

function toNumber(value: JsonValue): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/**
 * Area under the curve by trapezoids, divided by the length of its axis: the mean height, in the unit of y. A segment
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
    hint: 'Check the file of the curve: nan and inf are kept as gaps.',
  });
}
