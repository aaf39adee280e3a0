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
 * again are dropped (PELT; Killick, Fearnhead and Eckley, 2012). Gives where each level but the first begins,
 * to GRID points: the exact place is found later, and this takes a quarter of the time.
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
  let waiting = GRID; // the next place where a level may begin, until it is far enough behind
  for (let end = minSegment; end <= length; end++) {
    if (end % GRID !== 0 && end !== length) continue;
    for (; waiting + minSegment <= end; waiting += GRID) {
      if (waiting < Math.max(minSegment, firstCut)) continue;
      const [v, w] = [value[waiting] as number, weight[waiting] as number]; // waiting < end
      addStart(starts, waiting, { cost: best[waiting] as number, value: v, weight: w });
    }
    const nearest = bestStart(starts, value[end] as number, weight[end] as number); // end <= length
    best[end] = (starts.costs[nearest] as number) + penalty;
    previous[end] = starts.index[nearest] as number;
    if (end % PRUNE_EVERY === 0) prune(starts, best[end] as number);
  }
  return wayBack(previous, length);
}

const GRID = 1;
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
  /** Of the best partition that has its newest level from there to the present end. */
  readonly costs: Float64Array;
}

function createStarts(length: number): Starts {
  const column = () => new Float64Array(length + 1);
  const index = new Int32Array(length + 1);
  return { count: 0, index, base: column(), value: column(), weight: column(), costs: column() };
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

function bestStart(
  { count, base, value, weight, costs }: Starts,
  endValue: number,
  endWeight: number,
): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const sum = endValue - (value[i] as number); // i < count
    const cost = (base[i] as number) - (sum * sum) / (endWeight - (weight[i] as number));
    costs[i] = cost;
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

/** Keeps the starts that are not worse than a new level at this end would be. */
function prune(starts: Starts, limit: number): void {
  const { index, base, value, weight, costs } = starts;
  let kept = 0;
  for (let i = 0; i < starts.count; i++) {
    if ((costs[i] as number) > limit) continue;
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
