import type { Spans } from './pairs.ts';

/** Positions of the spans that last, by start; spans without length overlap nothing and are left out. */
export function orderByStart({ starts, ends }: Spans): Int32Array {
  const order = new Int32Array(starts.length);
  let kept = 0;
  let isSorted = true;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] as number; // below the length
    if (!((ends[i] as number) > start)) continue;
    if (start < last) isSorted = false;
    last = start;
    order[kept++] = i;
  }
  const positions = order.subarray(0, kept);
  if (isSorted) return positions;
  return positions.sort((i, j) => (starts[i] as number) - (starts[j] as number) || i - j);
}
