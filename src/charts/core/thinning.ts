/**
 * Which points of a line to draw: per column of pixels the first, the lowest, the highest and the last, so that no
 * spike is lost and no column is drawn twice. Gaps stay gaps. Places in pixels, in the order of the line.
 */
export function thinOut(xs: Float64Array, ys: Float64Array): readonly number[] {
  const kept: number[] = [];
  let start = 0;
  while (start < xs.length) {
    if (isGap(xs, ys, start)) {
      // One gap breaks the line as well as a thousand.
      if (kept.length > 0 && !isGap(xs, ys, kept.at(-1) ?? 0)) kept.push(start);
      start++;
      continue;
    }
    const column = Math.floor(xs[start] ?? 0);
    let end = start;
    let lowest = start;
    let highest = start;
    while (end + 1 < xs.length && !isGap(xs, ys, end + 1) && Math.floor(xs[end + 1] ?? 0) === column) {
      end++;
      if ((ys[end] ?? 0) < (ys[lowest] ?? 0)) lowest = end;
      if ((ys[end] ?? 0) > (ys[highest] ?? 0)) highest = end;
    }
    const picked = [start, Math.min(lowest, highest), Math.max(lowest, highest), end];
    for (const [place, index] of picked.entries()) if (index !== picked[place - 1]) kept.push(index);
    start = end + 1;
  }
  return kept;
}

export function isGap(xs: Float64Array, ys: Float64Array, index: number): boolean {
  return Number.isNaN(xs[index]) || Number.isNaN(ys[index]);
}

/**
 * Places of the values that a chart needs when there are more than it can show: of each bucket of neighbours the
 * smallest and the largest, and both ends. Nothing that stands out is lost; all places where there are few.
 */
export function keepExtremes(values: ArrayLike<number>, most: number): Uint32Array {
  const count = values.length;
  if (count <= most) return Uint32Array.from({ length: count }, (_, place) => place);
  const buckets = Math.max(1, Math.floor((most - 2) / 2));
  const kept = new Uint32Array(2 * buckets + 2);
  let length = 0;
  const keep = (place: number) => {
    if (length === 0 || (kept[length - 1] as number) < place) kept[length++] = place; // written before
  };
  keep(0);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * count) / buckets);
    const to = Math.floor(((bucket + 1) * count) / buckets);
    const [first, second] = extremes(values, from, to);
    keep(first);
    keep(second);
  }
  keep(count - 1);
  return kept.subarray(0, length);
}

/** In their order; a gap is kept where there is nothing else. */
function extremes(values: ArrayLike<number>, from: number, to: number): readonly [number, number] {
  let [low, high] = [-1, -1];
  for (let place = from; place < to; place++) {
    const value = values[place] as number; // within the bucket
    if (!Number.isFinite(value)) continue;
    if (low < 0 || value < (values[low] as number)) low = place;
    if (high < 0 || value > (values[high] as number)) high = place;
  }
  if (low < 0) return [from, from];
  return low < high ? [low, high] : [high, low];
}
