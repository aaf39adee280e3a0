import { selectMedian } from './select.ts';

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
