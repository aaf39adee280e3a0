import { isConstant, mean, median, momentsOf } from '../../../stats/summary.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { PlanInput, RunNoise } from './plan.ts';

/** Noise of the history of a series, on the scale of logarithms. */
export type HistoryNoise =
  | {
      readonly state: 'known';
      /** Variance of one value around its level. */
      readonly variance: number;
      /** Of neighbouring values; 0 where it may be chance. */
      readonly correlation: number;
      /** Values it rests on. */
      readonly count: number;
    }
  | { readonly state: 'unknown'; readonly reason: 'none' | 'one' | 'equal' | 'not-positive' };

/** Older values say little about the machine of today. */
const NEWEST = 60;

/** Spread of the newest values around the levels at which they lie, so that a change is not taken for noise. */
export function historyNoise(values: Float64Array): HistoryNoise {
  const usable = values.filter(Number.isFinite).slice(-NEWEST);
  if (usable.length < 2) return { state: 'unknown', reason: usable.length === 0 ? 'none' : 'one' };
  // A ratio of such values means nothing, and ratios are what comparisons are about.
  if (usable.some((value) => value <= 0)) return { state: 'unknown', reason: 'not-positive' };
  if (isConstant(usable)) return { state: 'unknown', reason: 'equal' };
  const logs = usable.map(Math.log);
  const { levels } = findChanges({ values: usable });
  const residuals = levels.flatMap(({ start, end }) => {
    const part = logs.subarray(start, end);
    const centre = mean(part);
    return [Array.from(part, (value) => value - centre)];
  });
  const freedom = usable.length - levels.length;
  const squares = residuals.flat().reduce((sum, value) => sum + value * value, 0);
  if (!(squares > 0) || freedom < 1) return { state: 'unknown', reason: 'equal' };
  return {
    state: 'known',
    variance: squares / freedom,
    correlation: correlationOf(residuals, squares),
    count: usable.length,
  };
}

/** Lag one, within levels. Subtracting the mean makes it too low by about 1 / n, which is given back. */
function correlationOf(residuals: readonly (readonly number[])[], squares: number): number {
  const count = residuals.reduce((sum, part) => sum + part.length, 0);
  let products = 0;
  for (const part of residuals)
    for (let index = 1; index < part.length; index++) products += (part[index] ?? 0) * (part[index - 1] ?? 0);
  const found = products / squares + 1 / count;
  // Independent values show up to about two standard errors by chance.
  return found > 2 / Math.sqrt(count) ? Math.min(0.9, found) : 0;
}

/** Noise of single iterations, from the samples of runs. */
export interface IterationNoise {
  /** What an iteration adds to the variance of its run's median, on the scale of logarithms. */
  readonly within: number;
  /** Iterations of a usual run. */
  readonly iterations: number;
  /** The usual value of one. */
  readonly value: number;
}

/** A median of n normal values has pi / 2 times the variance of their mean. */
const MEDIAN_COST = Math.PI / 2;
/** Turns a median absolute deviation into the deviation of a normal value. */
const MAD_TO_DEVIATION = 1.4826;

/**
 * From the samples of several runs; undefined where no run has three positive ones. The spread is that of the middle of
 * the iterations (by the median absolute deviation), since that decides how much their median varies: tails do not.
 */
export function iterationNoise(runs: readonly Float64Array[]): IterationNoise | undefined {
  const usable = runs.filter((values) => values.length >= 3 && values.every((value) => value > 0));
  if (usable.length === 0) return undefined;
  const distances = usable.flatMap((values) => {
    const logs = values.map(Math.log);
    const centre = median(logs);
    // A run's own median lies nearer to its values than the true one.
    const widen = Math.sqrt(values.length / (values.length - 1));
    return Array.from(logs, (value) => Math.abs(value - centre) * widen);
  });
  const deviation = MAD_TO_DEVIATION * median(distances);
  return {
    within: MEDIAN_COST * deviation ** 2,
    iterations: Math.max(1, Math.round(median(usable.map(({ length }) => length)))),
    value: median(usable.map((values) => median(values))),
  };
}

/**
 * How much narrower intervals of duets are than those of sides measured alone, where it was not measured: the
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
