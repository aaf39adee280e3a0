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
