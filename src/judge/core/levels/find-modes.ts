import { medianOfSorted, sortedCopy } from '../../../stats/summary.ts';
import type { Mode } from './levels.ts';

/**
 * Whether points of one level jump between two values. Splits the sorted values where the squares around both means are
 * least (Otsu, Jenks), and calls the halves modes where all of this holds: each has a tenth of the points and FEWEST at
 * least; the middle of the way between them is nearly empty; and the series went to and fro often, so that it is no
 * step. The bounds were set so that normal, skewed and uniform noise is called bistable in less than 1 of 1,000 series.
 */
export function findModes(values: Float64Array): readonly Mode[] {
  if (values.length < 2 * FEWEST) return [];
  const sorted = sortedCopy(values);
  const split = bestSplit(sorted);
  const [low, high] = [sorted.subarray(0, split), sorted.subarray(split)];
  const rarer = Math.min(low.length, high.length);
  if (rarer < Math.max(FEWEST, values.length / 10)) return [];
  const [bottom, top] = [medianOfSorted(low), medianOfSorted(high)];
  const isBetween = (value: number) =>
    value > bottom + (top - bottom) / 4 && value < top - (top - bottom) / 4;
  if (sorted.filter(isBetween).length > rarer / 10) return [];
  if (crossings(values, sorted[split] as number) < MIN_CROSSINGS) return [];
  return [
    { value: bottom, share: low.length / values.length },
    { value: top, share: high.length / values.length },
  ];
}

const FEWEST = 10;
const MIN_CROSSINGS = 4;

/** How many of the sorted values belong to the lower half. */
function bestSplit(sorted: Float64Array): number {
  const middle = medianOfSorted(sorted);
  let total = 0;
  for (const value of sorted) total += value - middle;
  let [sum, best, most] = [0, 1, -1];
  for (let count = 1; count < sorted.length; count++) {
    sum += (sorted[count - 1] as number) - middle; // count <= length
    const gain = sum ** 2 / count + (total - sum) ** 2 / (sorted.length - count);
    if (gain > most) [best, most] = [count, gain];
  }
  return best;
}

function crossings(values: Float64Array, upper: number): number {
  let count = 0;
  for (let i = 1; i < values.length; i++)
    if ((values[i] as number) >= upper !== (values[i - 1] as number) >= upper) count++;
  return count;
}
