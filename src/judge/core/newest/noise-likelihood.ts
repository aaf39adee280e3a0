import { median } from '../../../stats/summary.ts';
import { SCALES, TAILS, type TailPart } from './value-noise.ts';

/** What the values of a level say about their noise. */
export interface LevelEvidence {
  /** Distances of the values from their centre. */
  readonly residuals: Float64Array;
  /** Variance of that centre, in units of that of one value. */
  readonly centreVariance: number;
  /** Smallest step between values. */
  readonly tick: number;
}

/**
 * Probability density of the residuals for each scale and tail, the largest of them 1. Scales are tried down and up from
 * the middle residual until they explain the residuals no more: with many of these a few scales are left.
 */
export function likelihoodOf({ residuals, centreVariance, tick }: LevelEvidence): Float32Array {
  const n = residuals.length;
  // Values lie nearer to their own centre than to the true one.
  const spread = 1 / Math.sqrt(Math.max(0.05, 1 - centreVariance));
  const logDensity = n < FEW ? overCentres : aroundCentre;
  const logs = new Float64Array(SCALES.length * TAILS.length).fill(Number.NEGATIVE_INFINITY);
  let top = Number.NEGATIVE_INFINITY;
  const isPossible = (place: number): boolean => {
    const scale = withTick(SCALES[place] ?? 1, tick);
    const values = residuals.map((residual) => (residual * spread) / scale);
    let best = Number.NEGATIVE_INFINITY;
    logDensity(values).forEach((log, tail) => {
      // One degree of freedom is spent on the centre.
      const density = log - (n - 1) * Math.log(scale);
      logs[place * TAILS.length + tail] = density;
      best = Math.max(best, density);
    });
    top = Math.max(top, best);
    return best > top - NEGLIGIBLE;
  };
  const middle = median(residuals.map(Math.abs));
  const start = Math.max(
    0,
    SCALES.findLastIndex((scale) => scale <= middle),
  );
  for (let place = start; place >= 0 && isPossible(place); ) place--;
  for (let place = start + 1; place < SCALES.length && isPossible(place); ) place++;
  return Float32Array.from(logs, (log) => Math.exp(log - top));
}

/** Values are rounded to their last digit, which alone makes them vary. */
export function withTick(scale: number, tick: number): number {
  return Math.hypot(scale, tick / Math.sqrt(12));
}

/** As a logarithm: one in a million. */
const NEGLIGIBLE = 14;

/** Below so many values any may be a spike, which their own centre would hide. */
const FEW = 6;

/** Logarithm of the density for each tail, integrated over the centre: wherever it may be, it is near some of the values. */
function overCentres(values: Float64Array): Float64Array {
  // Around their own centre the values were widened by one degree of freedom; around any other that is not needed.
  const narrow = Math.sqrt(1 - 1 / values.length);
  const centres = new Set<number>();
  for (const value of values)
    for (let step = -2; step <= 2; step++) centres.add(Math.round(value * narrow) + step);
  const sums = new Float64Array(TAILS.length);
  const products = new Float64Array(TAILS.length);
  for (const centre of centres) {
    products.fill(1);
    for (const value of values) multiply(products, (value * narrow - centre) ** 2);
    for (let tail = 0; tail < sums.length; tail++) sums[tail] = (sums[tail] ?? 0) + (products[tail] ?? 0);
  }
  return sums.map((sum) => Math.log(Math.max(sum, Number.MIN_VALUE)));
}

/** The same around their own centre. Multiplied as long as products fit, since logarithms are what costs. */
function aroundCentre(values: Float64Array): Float64Array {
  const sums = new Float64Array(TAILS.length);
  const products = new Float64Array(TAILS.length).fill(1);
  values.forEach((value, place) => {
    multiply(products, value * value);
    const isFull = (products[LIGHTEST] ?? 0) < 1e-150 || place % 100 === 99 || place === values.length - 1;
    if (!isFull) return;
    for (let tail = 0; tail < sums.length; tail++)
      sums[tail] = (sums[tail] ?? 0) + Math.log(Math.max(products[tail] ?? 0, Number.MIN_VALUE));
    products.fill(1);
  });
  return sums.map((sum) => (sum * (values.length - 1)) / values.length);
}

/** The tail whose density falls first. */
const LIGHTEST = TAILS.findLastIndex((tail) => tail.length === 1);

/** Multiplies the product of each tail by the density at a value, of which the square is given. */
function multiply(products: Float64Array, square: number): void {
  for (let at = 0; at < PARTS.length; at++) {
    const { reach, freedom } = PARTS[at] as TailPart; // at is below their number
    DENSITY[at] = studentFall(square / (reach * reach), freedom);
  }
  for (let tail = 0; tail < products.length; tail++) {
    let density = 0;
    for (let at = 0; at < PARTS.length; at++)
      density += (PEAKS[tail * PARTS.length + at] ?? 0) * (DENSITY[at] ?? 0);
    products[tail] = (products[tail] ?? 0) * density;
  }
}

/** Parts that tails are made of, each once: they have most of them in common. */
const PARTS = TAILS.flat().filter(
  (one, place, all) => all.findIndex((other) => isLike(one, other)) === place,
);

/** Of each tail, of each part: its density at 0 by its share; none where the tail has no such part. */
const PEAKS = Float64Array.from(
  TAILS.flatMap((tail) =>
    PARTS.map((part) => {
      const share = tail.find((own) => isLike(own, part))?.share ?? 0;
      return (share * studentPeak(part.freedom)) / part.reach;
    }),
  ),
);

/** Filled anew for each value: it is needed so often that making one would cost more than using it. */
const DENSITY = new Float64Array(PARTS.length);

function isLike(one: TailPart, other: TailPart): boolean {
  return one.reach === other.reach && one.freedom === other.freedom;
}

/** Density of Student at z over that at 0, of an even number of degrees of freedom: (1 + z^2 / v)^(-(v + 1) / 2). */
function studentFall(square: number, freedom: number): number {
  const base = 1 / (1 + square / freedom);
  let power = Math.sqrt(base);
  for (let factor = base, left = freedom / 2; left > 0; left >>= 1, factor *= factor)
    if (left & 1) power *= factor;
  return power;
}

/** For even degrees: 1 / (2 sqrt 2) for two; two more multiply it by (v + 1) / v and sqrt(v / (v + 2)). */
function studentPeak(freedom: number): number {
  let density = 1 / (2 * Math.SQRT2);
  for (let v = 2; v < freedom; v += 2) density *= ((v + 1) / v) * Math.sqrt(v / (v + 2));
  return density;
}
