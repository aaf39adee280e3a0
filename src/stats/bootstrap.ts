import { NightmarkError } from '../platform/core/errors.ts';
import { type Interval, normalCdf, normalQuantile } from './distributions.ts';
import { requireFinite, requireLevel } from './requirements.ts';
import { quantileOfSorted } from './summary.ts';

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
function resample(values: Float64Array, drawn: Float64Array, random: () => number): void {
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
function steadyMean(values: Float64Array): number {
  const pivot = values[0] as number;
  let total = 0;
  for (const value of values) total += value - pivot;
  return pivot + total / values.length;
}

/** For each value, the mean of the others. */
function meansWithoutOne(values: Float64Array): Float64Array {
  const mean = steadyMean(values);
  return values.map((value) => mean + (mean - value) / (values.length - 1));
}

/** For each value, the statistic of the others, in their order. */
function leaveOneOut(values: Float64Array, statistic: Statistic): Float64Array {
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

/** Two independent samples, each of at least two values. */
export interface TwoSamples {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** A number made of two samples, which are buffers that are used again. */
export type TwoSampleStatistic = (a: Float64Array, b: Float64Array) => number;

/** Interval for mean(a) - mean(b); of pairs, take the mean of their differences instead. */
export function bootstrapMeanDifference(samples: TwoSamples, options: BootstrapOptions): Interval {
  const { a, b } = checked(samples);
  const distribution = new Float64Array(resamplesOf(options));
  for (let index = 0; index < distribution.length; index++) {
    const meanA = resampledMean(a, options.random);
    distribution[index] = meanA - resampledMean(b, options.random);
  }
  return intervalOf(distribution, options, () => {
    const [meanA, meanB] = [steadyMean(a), steadyMean(b)];
    const withoutA = meansWithoutOne(a).map((mean) => mean - meanB);
    const withoutB = meansWithoutOne(b).map((mean) => meanA - mean);
    return { estimate: meanA - meanB, jackknife: [withoutA, withoutB] };
  });
}

/** Interval for any statistic of two independent samples. */
export function bootstrapTwoSamples(
  samples: TwoSamples,
  statistic: TwoSampleStatistic,
  options: BootstrapOptions,
): Interval {
  const { a, b } = checked(samples);
  const distribution = new Float64Array(resamplesOf(options));
  const [drawnA, drawnB] = [new Float64Array(a.length), new Float64Array(b.length)];
  for (let index = 0; index < distribution.length; index++) {
    resample(a, drawnA, options.random);
    resample(b, drawnB, options.random);
    distribution[index] = statistic(drawnA, drawnB);
  }
  return intervalOf(distribution, options, () => ({
    estimate: statistic(a, b),
    jackknife: [
      leaveOneOut(a, (others) => statistic(others, b)),
      leaveOneOut(b, (others) => statistic(a, others)),
    ],
  }));
}

function checked(samples: TwoSamples): TwoSamples {
  requireFinite(samples.a, 2);
  requireFinite(samples.b, 2);
  return samples;
}

export interface BootstrapOptions {
  readonly level: number;
  /** 9,999 by default: the requested quantiles then fall on whole ranks. */
  readonly resamples?: number;
  /** Numbers in [0, 1). The caller owns the seed: the same one gives the same interval on every machine. */
  readonly random: () => number;
  /** Bias-corrected and accelerated, or plain quantiles; `percentile` unless given. */
  readonly method?: 'percentile' | 'bca';
}

/** What the method BCa wants to know beside the resampled statistics. */
export interface Acceleration {
  /** The statistic of the values themselves. */
  readonly estimate: number;
  /** For each sample, the statistic with one of its values left out, for each value in turn. */
  readonly jackknife: readonly Float64Array[];
}

/** How many resamples to draw; refuses a number that gives no interval. */
export function resamplesOf({ resamples = 9_999, level }: BootstrapOptions): number {
  requireLevel(level);
  if (Number.isInteger(resamples) && resamples >= 1) return resamples;
  throw new NightmarkError('STATS_RESAMPLES', `${resamples} resamples cannot be drawn.`, {
    hint: 'Give a whole number from 1; about 10,000 make the limits stable to the third digit.',
  });
}

/** The interval of resampled statistics by the requested method; they are sorted in place. */
function intervalOf(
  distribution: Float64Array,
  { level, method }: BootstrapOptions,
  acceleration: () => Acceleration,
): Interval {
  if (method !== 'bca') return percentileInterval(distribution, level);
  distribution.sort();
  // Nothing varies, so nothing can be mended: both limits are that one value.
  if (distribution[0] === distribution.at(-1)) return percentileInterval(distribution, level);
  const [low, high] = adjustedTails(distribution, (1 - level) / 2, acceleration());
  return { low: quantileOfSorted(distribution, low), high: quantileOfSorted(distribution, high), level };
}

/** The plain quantiles of resampled statistics, which are sorted in place. */
export function percentileInterval(distribution: Float64Array, level: number): Interval {
  distribution.sort();
  const tail = (1 - level) / 2;
  return { low: quantileOfSorted(distribution, tail), high: quantileOfSorted(distribution, 1 - tail), level };
}

/** Efron's (1987) quantiles: z0 mends the bias of the median, a the change of the spread with the value. */
function adjustedTails(
  sorted: Float64Array,
  tail: number,
  { estimate, jackknife }: Acceleration,
): readonly [number, number] {
  const z0 = normalQuantile(shareBelow(sorted, estimate));
  const a = accelerationOf(jackknife);
  const z = normalQuantile(tail);
  const adjust = (deviate: number) => normalCdf(z0 + (z0 + deviate) / (1 - a * (z0 + deviate)));
  return [adjust(z), adjust(-z)];
}

/** Share of the distribution below the estimate, ties counting half; never 0 or 1, which have no deviate. */
function shareBelow(sorted: Float64Array, estimate: number): number {
  let [below, upTo] = [0, 0];
  for (const value of sorted) {
    if (value < estimate) below++;
    if (value <= estimate) upTo++;
  }
  const least = 0.5 / sorted.length;
  return Math.min(1 - least, Math.max(least, (below + upTo) / (2 * sorted.length)));
}

/** Efron and Tibshirani (1993), equation 15.36, for any number of samples. */
function accelerationOf(jackknife: readonly Float64Array[]): number {
  let [cubes, squares] = [0, 0];
  for (const left of jackknife) {
    const n = left.length;
    let total = 0;
    for (const value of left) total += value;
    for (const value of left) {
      const influence = ((n - 1) * (total / n - value)) / n;
      cubes += influence ** 3;
      squares += influence ** 2;
    }
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
}
