import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** A learning curve: points in ascending order of x, each x once. NaN in y is a gap: it was measured and is no number. */
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

/** The curve that was kept; undefined when it is none. */
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
