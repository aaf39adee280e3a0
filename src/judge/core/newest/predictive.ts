import type { NoisePrior } from './value-noise.ts';

/** How large a difference may be by chance, the uncertainty of the noise included. */
export interface Predictive {
  /** Probability of a difference of at least `distance`, up or down. */
  p(distance: number): number;
  /** The distance that is reached with this probability. */
  reach(probability: number): number;
  /** Standard deviation of one value, as most likely seen. */
  readonly scale: number;
}

export interface Evidence {
  /** Distances of the values from their centre. */
  readonly residuals: Float64Array;
  /** Variance of that centre, in units of that of one value. */
  readonly centreVariance: number;
  /** Variance of the difference in question, likewise. */
  readonly differenceVariance: number;
  /** Smallest step between values. */
  readonly tick: number;
  /** Tails of a median of m values are those of one to the power of about m / 2. */
  readonly tailPower: number;
}

interface Part {
  readonly weight: number;
  readonly scale: number;
  readonly freedom: number;
}

/** Weighs every scale and tail of the prior by how well it explains the residuals. */
export function predict(evidence: Evidence, prior: NoisePrior): Predictive {
  const parts = weigh(evidence, prior);
  const width = Math.sqrt(evidence.differenceVariance);
  const p = (distance: number) => {
    let sum = 0;
    for (const { weight, scale, freedom } of parts)
      sum += weight * evenStudentTail(distance / (scale * width), freedom);
    return Math.min(1, 2 * sum);
  };
  const best = parts.reduce((one, other) => (other.weight > one.weight ? other : one), parts[0] ?? NO_PART);
  return { p, reach: (probability) => invert(p, probability, best.scale * width), scale: best.scale };
}

const NO_PART: Part = { weight: 0, scale: 1, freedom: 2 };

function weigh(evidence: Evidence, prior: NoisePrior): readonly Part[] {
  const { residuals, centreVariance, tick, tailPower } = evidence;
  const n = residuals.length;
  // Values lie nearer to their own centre than to the true one; one degree of freedom is spent on it.
  const spread = 1 / Math.sqrt(Math.max(0.05, 1 - centreVariance));
  const share = (n - 1) / n;
  const scaleAt = (place: number) => Math.hypot(prior.scales[place] ?? 1, tick / Math.sqrt(12));
  const logs = new Float64Array(prior.scales.length * prior.tails.length);
  let index = 0;
  for (let place = 0; place < prior.scales.length; place++) {
    const scale = scaleAt(place);
    for (const { freedom, logWeight, logPeak } of prior.tails) {
      const log = (-(freedom + 1) / 2) * logProduct(residuals, spread / scale, freedom);
      const constant = n * (logPeak - Math.log(scale));
      logs[index++] = (prior.logWeights[place] ?? 0) + logWeight + share * (log + constant);
    }
  }
  return normalise(logs, (at) => {
    const { freedom } = prior.tails[at % prior.tails.length] ?? { freedom: 2 };
    return { scale: scaleAt(Math.floor(at / prior.tails.length)), freedom: freedom * tailPower };
  });
}

/** Sum of log(1 + z^2 / freedom): multiplied as long as the product fits, since logarithms are what costs. */
function logProduct(residuals: Float64Array, factor: number, freedom: number): number {
  const square = (factor * factor) / freedom;
  let sum = 0;
  let product = 1;
  for (let index = 0; index < residuals.length; index++) {
    const residual = residuals[index] ?? 0;
    product *= 1 + residual * residual * square;
    if (product > 1e150) {
      sum += Math.log(product);
      product = 1;
    }
  }
  return sum + Math.log(product);
}

/** Parts below this cannot move a probability of one in a thousand. */
const LEAST_WEIGHT = 1e-6;

/** Only parts that matter become objects: a judgement weighs hundreds, and thousands are made for one page. */
function normalise(
  logs: Float64Array,
  partAt: (index: number) => Pick<Part, 'scale' | 'freedom'>,
): readonly Part[] {
  const top = logs.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const raw = logs.map((log) => Math.exp(log - top));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  const parts: Part[] = [];
  for (let index = 0; index < raw.length; index++) {
    const weight = (raw[index] ?? 0) / total;
    if (weight > LEAST_WEIGHT) parts.push({ weight, ...partAt(index) });
  }
  return parts;
}

/** Regula falsi on logarithms (Illinois), where p is nearly a line: p falls as the distance grows. */
function invert(p: (distance: number) => number, probability: number, start: number): number {
  const above = (log: number) => Math.log(Math.max(p(Math.exp(log)), Number.MIN_VALUE) / probability);
  let [low, high] = [Math.log(start), Math.log(start) + 2];
  let atLow = above(low);
  while (atLow <= 0 && low > -600) {
    low -= 2;
    atLow = above(low);
  }
  let atHigh = above(high);
  while (atHigh > 0 && high < 600) {
    high += 2;
    atHigh = above(high);
  }
  for (let round = 0; round < 60 && high - low > 1e-7; round++) {
    const middle = (low * atHigh - high * atLow) / (atHigh - atLow);
    const found = above(middle);
    if (Math.abs(found) < 1e-7) return Math.exp(middle);
    if (found > 0) {
      [low, atLow] = [middle, found];
      atHigh /= 2;
    } else {
      [high, atHigh] = [middle, found];
      atLow /= 2;
    }
  }
  return Math.exp((low + high) / 2);
}

/**
 * Probability that a Student value with an even number of degrees of freedom lies above `t` >= 0, in closed form
 * (Abramowitz and Stegun 26.7.4): the predictive distribution is evaluated thousands of times a verdict.
 */
export function evenStudentTail(t: number, freedom: number): number {
  const square = t * t;
  if (square === Number.POSITIVE_INFINITY) return 0;
  const rest = freedom / (freedom + square);
  const sine = t / Math.sqrt(freedom + square);
  const terms = freedom / 2;
  let coefficient = 1;
  let sum = 0;
  for (let term = 0; term < terms; term++) {
    sum += coefficient;
    coefficient *= ((2 * term + 1) / (2 * term + 2)) * rest;
  }
  const tail = (1 - sine * sum) / 2;
  // Far out the sum is 1 / sine but for rounding: its own missing terms are then the whole answer.
  return tail > 1e-9 ? tail : (sine * missing(coefficient, terms, rest)) / 2;
}

function missing(first: number, terms: number, rest: number): number {
  let coefficient = first;
  let sum = 0;
  for (let term = terms; coefficient > sum * 1e-17; term++) {
    sum += coefficient;
    coefficient *= ((2 * term + 1) / (2 * term + 2)) * rest;
  }
  return sum;
}
