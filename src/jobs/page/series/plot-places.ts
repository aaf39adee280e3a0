import type UPlot from 'uplot';

export interface Axes {
  readonly isLogX: boolean;
  readonly isLogY: boolean;
}

/** Values to pixels, without a call of uPlot for each. */
export function placer(plot: UPlot, { isLogX, isLogY }: Axes) {
  const { bbox, scales } = plot;
  const [across, up] = [
    (value: number) => (isLogX ? Math.log10(value) : value),
    (value: number) => (isLogY ? Math.log10(value) : value),
  ];
  const [left, right] = [across(scales['x']?.min ?? 0), across(scales['x']?.max ?? 1)];
  const [bottom, top] = [up(scales['y']?.min ?? 0), up(scales['y']?.max ?? 1)];
  return {
    x: (value: number) => bbox.left + ((across(value) - left) / (right - left)) * bbox.width,
    y: (value: number) => bbox.top + bbox.height - ((up(value) - bottom) / (top - bottom)) * bbox.height,
  };
}

/** The visible points, with one more on either side so that lines reach the edges. */
export function shownPart(
  { scales }: UPlot,
  x: Float64Array,
): { readonly from: number; readonly to: number } {
  const [min, max] = [
    scales['x']?.min ?? Number.NEGATIVE_INFINITY,
    scales['x']?.max ?? Number.POSITIVE_INFINITY,
  ];
  return { from: Math.max(0, firstFrom(x, min) - 1), to: Math.min(x.length, firstFrom(x, max) + 2) };
}

/** Index of the first value that is not below the given one (binary search). */
export function firstFrom(x: Float64Array, value: number): number {
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((x[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
