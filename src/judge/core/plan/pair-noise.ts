import { mean, momentsOf } from '../../../stats/summary.ts';
import type { PlanInput, RunNoise } from './plan.ts';

/**
 * How much narrower intervals of duets are than those of sides measured alone, where nobody has measured it: the
 * smallest gain that Bulej et al. report for DaCapo and ScalaBench (ICPE 2020; 2.3 to 12.5 times).
 */
export const ASSUMED_GAIN = 2.3;

/** Two sides measured alone differ with twice the variance of one; pairs with that divided by the square of the gain. */
export function assumedPairs({ between, within }: RunNoise): PlanInput['pairs'] {
  const part = 2 / ASSUMED_GAIN ** 2;
  return { between: part * between, within: part * within, isMeasured: false };
}

/**
 * From ratios of pairs in the order of measurement: how much the mean of `iterations` of them varies. Runs follow each
 * other in such a list, so blocks of neighbours feel what is common to a run. Undefined with fewer than five blocks.
 */
export function measuredPairs(
  a: readonly number[],
  b: readonly number[],
  iterations: number,
): PlanInput['pairs'] | undefined {
  if (a.length !== b.length || ![...a, ...b].every((time) => time > 0)) return undefined;
  const ratios = Float64Array.from(a, (time, index) => Math.log((b[index] ?? 1) / time));
  const blocks = Math.floor(ratios.length / iterations);
  if (blocks < LEAST_BLOCKS) return undefined;
  const means = Float64Array.from({ length: blocks }, (_, block) =>
    mean(ratios.subarray(block * iterations, (block + 1) * iterations)),
  );
  const between = momentsOf(means).deviation ** 2;
  return between > 0 ? { between, within: 0, isMeasured: true } : undefined;
}

const LEAST_BLOCKS = 5;
