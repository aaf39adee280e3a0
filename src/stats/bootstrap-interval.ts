import { NightmarkError } from '../platform/core/errors.ts';
import { normalCdf, normalQuantile } from './distributions.ts';
import type { Interval } from './interval.ts';
import { requireLevel } from './requirements.ts';
import { quantileOfSorted } from './summary.ts';

export interface BootstrapOptions {
  readonly level: number;
  /** 9,999 unless given: the quantiles that are asked for then fall on whole ranks. */
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

/** The interval of resampled statistics by the method asked for; they are sorted in place. */
export function intervalOf(
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
