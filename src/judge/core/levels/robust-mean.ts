import { mean } from '../../../stats/summary.ts';
import { selectMedian, selectQuantile } from './select.ts';
import { usualWeight } from './sums.ts';

/** A centre that outliers do not move, and what its interval is made of. */
export interface RobustMean {
  readonly centre: number;
  /** Robust standard deviation of one point of usual weight. */
  readonly scale: number;
  /** Weighted squares of the distances as far as they count: over the count, the variance of a point of weight 1. */
  readonly squares: number;
  readonly count: number;
  /** Of all points together. */
  readonly weight: number;
}

/**
 * Huber's M-estimate: the mean, where a point counts by at most REACH deviations. For normal values its spread is
 * hardly that of the mean, while a median's is a quarter more. A point of weight 9 is one of a third of the deviation,
 * as the mean of nine points would be: it counts nine times, and is far out at a third of the distance.
 */
export function robustMean(values: Float64Array, weights: Float64Array): RobustMean {
  const roots = weights.map(Math.sqrt);
  let centre = selectMedian(values);
  const distances = values.map((value, i) => Math.abs(value - centre) * (roots[i] as number)); // as long as the values
  const typical = selectMedian(distances) * MAD_FACTOR;
  const unit = typical || mean(distances) * MEAN_FACTOR;
  const reach = REACH * unit;
  let inside = values.length;
  const rounds = typical > 0 || selectQuantile(distances, FIXED) > 0 ? ROUNDS : 0;
  for (let round = 0; round < rounds; round++) {
    let [pull, weight] = [0, 0];
    inside = 0;
    for (let i = 0; i < values.length; i++) {
      const root = roots[i] as number; // as long as the values
      const distance = ((values[i] as number) - centre) * root;
      const isInside = Math.abs(distance) <= reach;
      pull += root * (isInside ? distance : Math.sign(distance) * reach);
      weight += isInside ? root * root : 0;
      inside += isInside ? 1 : 0;
    }
    if (!(weight > 0)) break;
    centre += pull / weight;
  }
  let [squares, weight] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    squares += Math.min(reach, Math.abs((values[i] as number) - centre) * (roots[i] as number)) ** 2;
    weight += weights[i] as number;
  }
  // Points that are cut off do not hold the centre: the fewer hold it, the wider it spreads (Huber, 1964).
  const share = Math.max(0.5, inside / values.length);
  return {
    centre,
    scale: unit / Math.sqrt(usualWeight(weights)),
    squares: squares / share ** 2,
    count: values.length,
    weight,
  };
}

const REACH = 2;
const ROUNDS = 8;
/** Where such a share of the points has the same value, as counts do, that is the level. */
const FIXED = 0.8;
/** 1 / normalQuantile(3/4): the median distance of normal values times this is their deviation. */
const MAD_FACTOR = 1.482602218505602;
/** The same of the mean distance, where more than half of the values are equal. */
const MEAN_FACTOR = Math.sqrt(Math.PI / 2);
