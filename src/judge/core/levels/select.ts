import { requireSome } from '../../../stats/requirements.ts';

/** The median as `median` of summary.ts gives it, without sorting all values: sorting took most of the time of a short series. */
export function selectMedian(values: Float64Array): number {
  return selectBetween(values, (values.length - 1) / 2);
}

/** The same for the p-quantile, 0 <= p <= 1. */
export function selectQuantile(values: Float64Array, p: number): number {
  return selectBetween(values, (values.length - 1) * p);
}

function selectBetween(values: Float64Array, position: number): number {
  requireSome(values);
  const order = values.slice();
  const below = Math.floor(position);
  const part = position - below;
  const low = select(order, below);
  if (part === 0) return low;
  let high = Number.POSITIVE_INFINITY;
  for (let i = below + 1; i < order.length; i++) high = Math.min(high, order[i] as number); // i < length
  // The sum of two halves keeps the digits of a plain mean, as the median is defined.
  const both = low + high;
  if (part === 0.5 && Number.isFinite(both)) return both / 2;
  const step = high - low;
  return Number.isFinite(step) ? low + part * step : low * (1 - part) + high * part;
}

/** The value at this rank, by partitions around pivots (Hoare, 1961). Smaller ones come before it, larger ones behind. */
function select(order: Float64Array, rank: number): number {
  let [from, to] = [0, order.length - 1];
  while (from < to) {
    const pivot = order[rank] as number; // 0 <= rank < length
    let [left, right] = [from, to];
    while (left <= right) {
      while ((order[left] as number) < pivot) left++;
      while ((order[right] as number) > pivot) right--;
      if (left > right) break;
      const one = order[left] as number; // the pivot stops both
      order[left++] = order[right] as number;
      order[right--] = one;
    }
    if (right < rank) from = left;
    if (rank < left) to = right;
  }
  return order[rank] as number;
}
