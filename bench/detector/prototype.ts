import { partition } from '../../src/judge/core/levels/partition.ts';
import { runningMedian } from '../../src/judge/core/levels/standardise.ts';
import { squaresOver, sumsOf } from '../../src/judge/core/levels/sums.ts';
import { median } from '../../src/stats/summary.ts';
import { welchTest } from '../../src/stats/t-tests.ts';

/**
 * The detector that ours started from: outliers pulled in around a median of 7, least squares at a price of
 * 6 log n max(scale^2 (1 + rho) / (1 - rho), variance / 10), neighbours merged by Welch's test at 0.001.
 */
export function prototype(values: Float64Array): readonly number[] {
  const n = values.length;
  const steps = Float64Array.from({ length: n - 1 }, (_, i) => Math.abs(at(values, i + 1) - at(values, i)));
  const scale = (median(steps) * 1.4826) / Math.SQRT2;
  const around = runningMedian(values, 7);
  const middle = median(values);
  const clean = values.map(
    (value, i) => Math.max(at(around, i) - 3 * scale, Math.min(at(around, i) + 3 * scale, value)) - middle,
  );
  const sums = sumsOf(clean, new Float64Array(n).fill(1));
  const variance = squaresOver(sums, { from: 0, to: n }) / n;
  const cutsAt = (noise: number) =>
    partition(sums, {
      penalty: 6 * Math.log(n) * Math.max(noise, variance / 10),
      minSegment: 3,
      firstCut: 0,
    });
  const rho = correlation(clean, [0, ...cutsAt(scale ** 2), n]);
  return merged(clean, [0, ...cutsAt((scale ** 2 * (1 + rho)) / (1 - rho)), n]);
}

function correlation(clean: Float64Array, bounds: readonly number[]): number {
  let [products, squares] = [0, 0];
  for (let j = 0; j + 1 < bounds.length; j++) {
    const part = clean.subarray(bounds[j], bounds[j + 1]);
    const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
    for (let i = 0; i < part.length; i++) {
      squares += (at(part, i) - mean) ** 2;
      if (i > 0) products += (at(part, i) - mean) * (at(part, i - 1) - mean);
    }
  }
  return squares > 0 ? Math.max(0, Math.min(0.9, products / squares)) : 0;
}

function merged(clean: Float64Array, bounds: readonly number[]): readonly number[] {
  const left = [...bounds];
  for (;;) {
    let [worst, most] = [-1, 0.001];
    for (let j = 1; j + 1 < left.length; j++) {
      const [one, other] = [clean.subarray(left[j - 1], left[j]), clean.subarray(left[j], left[j + 1])];
      const { p } = welchTest(one, other, { level: 0.95 });
      if (p >= most) [worst, most] = [j, p];
    }
    if (worst < 0) return left.slice(1, -1);
    left.splice(worst, 1);
  }
}

const at = (values: Float64Array, index: number): number => values[index] ?? 0;
