/** The smallest and largest finite value; undefined when there is none. */
export interface Extent {
  readonly low: number;
  readonly high: number;
}

export function extentOf(lists: Iterable<readonly number[] | undefined>, isLog = false): Extent | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of lists) {
    for (const value of values ?? []) {
      if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? { low, high } : undefined;
}

/** What holds both. */
export function unionOf(one: Extent | undefined, other: Extent | undefined): Extent | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}
