import { type LevelEvidence, likelihoodOf, withTick } from './noise-likelihood.ts';
import { type NoisePrior, SCALES, TAILS } from './value-noise.ts';

/** How large a difference may be by chance, the uncertainty of the noise included. */
export interface Predictive {
  /** Probability of a difference of at least `distance`, up or down. */
  p(distance: number): number;
  /** The distance that is reached with this probability. */
  reach(probability: number): number;
  /** Standard deviation of one value, as most likely seen. */
  readonly scale: number;
}

export interface Evidence extends LevelEvidence {
  /** Variance of the difference in question, in units of that of one value. */
  readonly differenceVariance: number;
  /** Tails of a median of m values are those of one to the power of about m / 2. */
  readonly tailPower: number;
}

interface Part {
  readonly weight: number;
  readonly scale: number;
  readonly freedom: number;
}

/**
 * Weighs every scale and tail of the prior by how well it explains the residuals. `likelihood` is that of the evidence,
 * where it is known already.
 */
export function predict(
  evidence: Evidence,
  prior: NoisePrior,
  likelihood: Float32Array = likelihoodOf(evidence),
): Predictive {
  const parts = partsOf(evidence, prior, likelihood);
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

/** Parts below this cannot move a probability of one in a million. */
const LEAST_WEIGHT = 1e-9;

/** Every part of every tail, at every scale. */
function partsOf(
  { tick, tailPower }: Evidence,
  prior: NoisePrior,
  likelihood: Float32Array,
): readonly Part[] {
  const weights = likelihood.map((likely, at) => likely * weightAt(prior, at));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const parts: Part[] = [];
  const add = (weight: number, scale: number, freedom: number) => {
    if (weight > LEAST_WEIGHT) parts.push({ weight, scale, freedom: freedom * tailPower });
  };
  SCALES.forEach((own, place) => {
    const scale = withTick(own, tick);
    TAILS.forEach((tail, kind) => {
      const weight = (weights[place * TAILS.length + kind] ?? 0) / total;
      for (const { share, reach, freedom } of tail) add(weight * share, scale * reach, freedom);
    });
  });
  return parts;
}

/** Weight of a cell of the table of likelihoods: all tails of the first scale, then those of the next. */
function weightAt({ scaleWeights, tailWeights }: NoisePrior, at: number): number {
  const place = Math.floor(at / TAILS.length);
  return (scaleWeights[place] ?? 0) * (tailWeights[at - place * TAILS.length] ?? 0);
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
