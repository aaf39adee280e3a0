/**
 * Indexes of at most about `limit` values that draw the same line: the lowest and the highest of each piece, in
 * order, so that no outlier disappears.
 */
export function thinned(values: readonly number[], limit: number): readonly number[] {
  if (values.length <= limit) return values.map((_, index) => index);
  const pieces = Math.max(1, Math.floor(limit / 2));
  const kept = new Set<number>([0]);
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((piece * values.length) / pieces);
    const to = Math.floor(((piece + 1) * values.length) / pieces);
    let low = from;
    let high = from;
    for (let index = from; index < to; index++) {
      if (at(values, index) < at(values, low)) low = index;
      if (at(values, index) > at(values, high)) high = index;
    }
    kept.add(Math.min(low, high)).add(Math.max(low, high));
  }
  kept.add(values.length - 1);
  return [...kept].sort((a, b) => a - b);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN;
}
