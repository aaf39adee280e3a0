import type { Sums } from './sums.ts';

export interface PartitionOptions {
  /** Price of one more level. */
  readonly penalty: number;
  readonly minSegment: number;
  /** No level but the first begins before this index. */
  readonly firstCut: number;
}

/**
 * The levels with the least squares plus the price of each: optimal partitioning, where starts that can never be the
 * best again are dropped (PELT; Killick, Fearnhead and Eckley, 2012). Gives where each level but the first begins.
 */
export function partition(
  sums: Sums,
  { penalty, minSegment, firstCut }: PartitionOptions,
): readonly number[] {
  const { length, weight, value, square } = sums;
  const best = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(length + 1);
  const starts = new Int32Array(length + 1);
  const costs = new Float64Array(length + 1);
  best[0] = -penalty;
  let count = 1;
  for (let end = minSegment; end <= length; end++) {
    const [w, v, q] = [weight[end] as number, value[end] as number, square[end] as number];
    let [least, from] = [Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number; // i < count
      const sum = v - (value[start] as number);
      const cost =
        (best[start] as number) +
        q -
        (square[start] as number) -
        (sum * sum) / (w - (weight[start] as number));
      costs[i] = cost;
      if (cost < least) [least, from] = [cost, start];
    }
    best[end] = least + penalty;
    previous[end] = from;
    count = prune(starts, costs, { count, limit: least + penalty });
    // A level that ends at the next place begins at least minSegment points before.
    const next = end + 1 - minSegment;
    if (next >= Math.max(minSegment, firstCut)) starts[count++] = next;
  }
  return wayBack(previous, length);
}

/** Keeps the starts that are not worse than a new level at this end would be. */
function prune(
  starts: Int32Array,
  costs: Float64Array,
  { count, limit }: { readonly count: number; readonly limit: number },
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) if ((costs[i] as number) <= limit) starts[kept++] = starts[i] as number;
  return kept;
}

function wayBack(previous: Int32Array, length: number): readonly number[] {
  const cuts: number[] = [];
  for (let end = previous[length] ?? 0; end > 0; end = previous[end] ?? 0) cuts.push(end);
  return cuts.reverse();
}
