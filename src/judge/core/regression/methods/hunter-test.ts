import { studentCdf } from '../../../../stats/distributions.ts';
import { mean, populationDeviation } from '../../../../stats/summary.ts';

/** A place where a series may be cut in two, and how different the stretches on both sides are. */
export interface Cut {
  /** Index of the first value on the right. */
  readonly index: number;
  readonly left: Stretch;
  readonly right: Stretch;
  readonly p: number;
}

export interface Stretch {
  readonly mean: number;
  /** With the divisor n. */
  readonly deviation: number;
  readonly count: number;
}

/** Tests the cut at `index` of the stretch from `from` to `to`; undefined when one side is empty. */
export function testCut(
  series: Float64Array,
  index: number,
  { from, to }: { readonly from: number; readonly to: number },
): Cut | undefined {
  if (index <= from || index >= to) return undefined;
  const left = stretchOf(series.subarray(from, index));
  const right = stretchOf(series.subarray(index, to));
  return { index, left, right, p: pooledP(left, right) };
}

export function magnitude({ left, right }: Cut): number {
  return Math.max(Math.abs(right.mean / left.mean - 1), Math.abs(left.mean / right.mean - 1));
}

function stretchOf(values: Float64Array): Stretch {
  const deviation = values.length < 2 ? 0 : populationDeviation(values);
  return { mean: mean(values), deviation, count: values.length };
}

/** Two-sided, pooled; deviations with the divisor n, as the original gives them to the test. Not a number where nothing varies. */
function pooledP(one: Stretch, other: Stretch): number {
  const freedom = one.count + other.count - 2;
  if (freedom === 0) return 1;
  const squares = (one.count - 1) * one.deviation ** 2 + (other.count - 1) * other.deviation ** 2;
  const error = Math.sqrt((squares / freedom) * (1 / one.count + 1 / other.count));
  return Math.min(1, 2 * studentCdf(-Math.abs((one.mean - other.mean) / error), freedom));
}
