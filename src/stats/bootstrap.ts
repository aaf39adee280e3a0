import { type BootstrapOptions, intervalOf, resamplesOf } from './bootstrap-interval.ts';
import type { Interval } from './interval.ts';
import { requireFinite } from './requirements.ts';

/** A number made of a sample. It must neither keep nor change the values: they are a buffer that is used again. */
export type Statistic = (values: Float64Array) => number;

/** Interval for the mean of at least two values, such as those of runs or the differences of pairs. */
export function bootstrapMean(values: Float64Array, options: BootstrapOptions): Interval {
  requireFinite(values, 2);
  const distribution = new Float64Array(resamplesOf(options));
  for (let index = 0; index < distribution.length; index++) {
    distribution[index] = resampledMean(values, options.random);
  }
  return intervalOf(distribution, options, () => ({
    estimate: steadyMean(values),
    jackknife: [meansWithoutOne(values)],
  }));
}

/** Interval for any statistic of at least two values. */
export function bootstrap(values: Float64Array, statistic: Statistic, options: BootstrapOptions): Interval {
  requireFinite(values, 2);
  const distribution = new Float64Array(resamplesOf(options));
  const drawn = new Float64Array(values.length);
  for (let index = 0; index < distribution.length; index++) {
    resample(values, drawn, options.random);
    distribution[index] = statistic(drawn);
  }
  return intervalOf(distribution, options, () => ({
    estimate: statistic(values),
    jackknife: [leaveOneOut(values, statistic)],
  }));
}

/** Fills `drawn` with values drawn with replacement. */
export function resample(values: Float64Array, drawn: Float64Array, random: () => number): void {
  for (let index = 0; index < drawn.length; index++) drawn[index] = pick(values, random);
}

/**
 * Mean of as many values as there are, drawn with replacement. Distances from the first value are summed: equal
 * values then give their very value, and large ones that differ little lose no digits.
 */
export function resampledMean(values: Float64Array, random: () => number): number {
  const pivot = values[0] as number; // callers require values
  let total = 0;
  for (let index = 0; index < values.length; index++) total += pick(values, random) - pivot;
  return pivot + total / values.length;
}

/** The mean, computed as `resampledMean` does, so that a resample of the same values ties with it. */
export function steadyMean(values: Float64Array): number {
  const pivot = values[0] as number;
  let total = 0;
  for (const value of values) total += value - pivot;
  return pivot + total / values.length;
}

/** For each value, the mean of the others. */
export function meansWithoutOne(values: Float64Array): Float64Array {
  const mean = steadyMean(values);
  return values.map((value) => mean + (mean - value) / (values.length - 1));
}

/** For each value, the statistic of the others, in their order. */
export function leaveOneOut(values: Float64Array, statistic: Statistic): Float64Array {
  const others = values.slice(1);
  const result = new Float64Array(values.length);
  for (let left = 0; left < values.length; left++) {
    if (left > 0) others[left - 1] = values[left - 1] as number; // the gap moves up by one
    result[left] = statistic(others);
  }
  return result;
}

function pick(values: Float64Array, random: () => number): number {
  return values[Math.floor(random() * values.length)] as number; // random() < 1
}
