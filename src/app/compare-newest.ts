/**
 * Where the newest value stands among the earlier ones. A description, not a verdict: of 20 equal nights the
 * newest is outside the range of the others in 2 of 20 cases by chance alone.
 */
export interface NewestChange {
  /** Relative to the median of the earlier values; absent where that is zero. */
  readonly ratio?: number;
  readonly median: number;
  /** How many earlier values there are. */
  readonly earlier: number;
  /** Only said with enough earlier values. */
  readonly position: 'above' | 'below' | 'within' | 'unknown';
}

/** With fewer the range says little: see above. */
const ENOUGH_EARLIER = 20;

/** Undefined when there is nothing to compare with. */
export function compareNewest(values: ArrayLike<number>): NewestChange | undefined {
  const newest = values[values.length - 1];
  if (newest === undefined || values.length < 2) return undefined;
  const earlier = Array.from(values).slice(0, -1);
  const sorted = earlier.toSorted((a, b) => a - b);
  const low = sorted[0] ?? newest;
  const high = sorted.at(-1) ?? newest;
  const median = (sorted[(sorted.length - 1) >> 1] ?? 0) / 2 + (sorted[sorted.length >> 1] ?? 0) / 2;
  const position =
    earlier.length < ENOUGH_EARLIER ? 'unknown' : newest > high ? 'above' : newest < low ? 'below' : 'within';
  const comparison = { median, earlier: earlier.length, position } as const;
  return median === 0 ? comparison : { ...comparison, ratio: (newest - median) / Math.abs(median) };
}
