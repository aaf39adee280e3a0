import { runCorrelation, varianceOfMean } from '../../../stats/run-correlation.ts';
import { isConstant, mean, median, momentsOf } from '../../../stats/summary.ts';
import { findChanges } from '../levels/find-changes.ts';
import { neighbourCorrelation } from '../newest/value-noise.ts';
import { inflation, type PlanInput, type RunNoise } from './plan.ts';

/** Noise of the history of a series, on the scale of logarithms. */
export type HistoryNoise =
  | {
      readonly state: 'known';
      /** Variance of one value around its level. */
      readonly variance: number;
      /** Degrees of freedom of that variance; fewer than values where tails are heavy. */
      readonly freedom: number;
      /** Of neighbouring values, drawn towards what nights commonly show. */
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
  const correlation = correlationOf(residuals.map((part) => Float64Array.from(part)));
  const length = usable.length / levels.length;
  // Values that resemble their neighbours lie nearer to their own mean than independent ones.
  const hidden = (1 - 1 / length) / (1 - varianceOfMean(length, correlation));
  return {
    state: 'known',
    variance: (squares / freedom) * hidden,
    freedom: usableFreedom(residuals.flat(), freedom),
    correlation,
    count: usable.length,
  };
}

/** What nights commonly show, unless these clearly show more. */
function correlationOf(levels: readonly Float64Array[]): number {
  const usual = neighbourCorrelation(Float64Array.from(levels.flatMap((level) => [...level])));
  return Math.max(usual, runCorrelation(levels));
}

/** Before any value is seen: benchmarks have heavier tails than normal values, so their variances vary more. */
const COMMON_EXCESS = 1;
const EXCESS_WEIGHT = 20;

/**
 * The variance of a variance is 2 / freedom + excess kurtosis / n of its square: heavy tails leave fewer degrees of freedom.
 * Few values hardly know their tails, so the excess is drawn towards what is common.
 */
function usableFreedom(residuals: readonly number[], freedom: number): number {
  const n = residuals.length;
  const moment = (power: number) => residuals.reduce((sum, value) => sum + value ** power, 0) / n;
  const seen = Math.max(0, Math.min(MOST_EXCESS, moment(4) / moment(2) ** 2 - 3));
  const excess = (n * seen + EXCESS_WEIGHT * COMMON_EXCESS) / (n + EXCESS_WEIGHT);
  return 2 / (2 / freedom + excess / n);
}

const MOST_EXCESS = 20;

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
export function assumedPairs({ between, within, ...known }: RunNoise): PlanInput['pairs'] {
  const part = 2 / ASSUMED_GAIN ** 2;
  return { between: part * between, within: part * within, ...known, isMeasured: false };
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
  const { mean: centre, deviation } = momentsOf(means);
  if (!(deviation > 0)) return undefined;
  const freedom = usableFreedom(
    Array.from(means, (value) => value - centre),
    blocks - 1,
  );
  const between = deviation ** 2 * inflation(runCorrelation([means]));
  return { between, within: 0, freedom, isMeasured: true };
}

const LEAST_BLOCKS = 5;
