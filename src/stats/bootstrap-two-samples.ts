import { leaveOneOut, meansWithoutOne, resample, resampledMean, steadyMean } from './bootstrap.ts';
import { type BootstrapOptions, intervalOf, resamplesOf } from './bootstrap-interval.ts';
import type { Interval } from './interval.ts';
import { requireFinite } from './requirements.ts';

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
