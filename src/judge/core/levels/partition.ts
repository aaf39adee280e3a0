import type { Sums } from './sums.ts';

export interface PartitionOptions {
  /** Price of one more level. */
  readonly penalty: number;
  readonly minSegment: number;
  /** No level but the first begins before this index. */
  readonly firstCut: number;
}

/**
 * The levels with the least squares plus the price of each: optimal partitioning, where starts that cannot be the best
 * again are dropped (PELT; Killick, Fearnhead and Eckley, 2012). Gives where each level but the first begins.
 * Squares of the values are the same in any partition and left out.
 */
export function partition(
  sums: Sums,
  { penalty, minSegment, firstCut }: PartitionOptions,
): readonly number[] {
  const { length, weight, value } = sums;
  const best = new Float64Array(length + 1);
  const previous = new Int32Array(length + 1);
  const starts = createStarts(length);
  addStart(starts, 0, { cost: -penalty, value: 0, weight: 0 });
  const firstStart = Math.max(minSegment, firstCut);
  for (let end = minSegment; end <= length; end++) {
    const start = end - minSegment; // the newest that is far enough behind
    if (start >= firstStart) {
      const [v, w] = [value[start] as number, weight[start] as number]; // start < end
      addStart(starts, start, { cost: best[start] as number, value: v, weight: w });
    }
    const here = { value: value[end] as number, weight: weight[end] as number }; // end <= length
    const nearest = bestStart(starts, here);
    best[end] = costFrom(starts, nearest, here) + penalty;
    previous[end] = starts.index[nearest] as number;
    if (end % PRUNE_EVERY === 0) prune(starts, here, best[end] as number);
  }
  return wayBack(previous, length);
}

/** To look through the starts for those to drop costs as much as to use them once. */
const PRUNE_EVERY = 8;

/** Where the newest level may begin. Columns: this is the loop in which nearly all the time goes. */
interface Starts {
  count: number;
  readonly index: Int32Array;
  /** Of the best partition that ends there, and the sums up to there. */
  readonly base: Float64Array;
  readonly value: Float64Array;
  readonly weight: Float64Array;
}

function createStarts(length: number): Starts {
  const column = () => new Float64Array(length + 1);
  const index = new Int32Array(length + 1);
  return { count: 0, index, base: column(), value: column(), weight: column() };
}

function addStart(
  starts: Starts,
  index: number,
  { cost, value, weight }: { readonly cost: number; readonly value: number; readonly weight: number },
): void {
  const at = starts.count++;
  starts.index[at] = index;
  starts.base[at] = cost;
  starts.value[at] = value;
  starts.weight[at] = weight;
}

/** Sums up to the present end. */
interface End {
  readonly value: number;
  readonly weight: number;
}

/** Costs are not kept: to compute those that are needed again takes less than to write down all. */
function bestStart(starts: Starts, end: End): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < starts.count; i++) {
    const cost = costFrom(starts, i, end);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

/** Of the best partition that has its newest level from the i-th start to this end. */
function costFrom({ base, value, weight }: Starts, i: number, end: End): number {
  const sum = end.value - (value[i] as number); // i < count
  return (base[i] as number) - (sum * sum) / (end.weight - (weight[i] as number));
}

/** Keeps the starts that are not worse than a new level at this end would be. */
function prune(starts: Starts, end: End, limit: number): void {
  const { index, base, value, weight } = starts;
  let kept = 0;
  for (let i = 0; i < starts.count; i++) {
    if (costFrom(starts, i, end) > limit) continue;
    index[kept] = index[i] as number;
    base[kept] = base[i] as number;
    value[kept] = value[i] as number;
    weight[kept] = weight[i] as number;
    kept++;
  }
  starts.count = kept;
}

function wayBack(previous: Int32Array, length: number): readonly number[] {
  const cuts: number[] = [];
  for (let end = previous[length] ?? 0; end > 0; end = previous[end] ?? 0) cuts.push(end);
  return cuts.reverse();
}
