import { medianAbsoluteDeviation } from '../robust-scale.ts';
import { median } from '../summary.ts';

/** A centre that outliers do not move, and what its interval is made of. */
export interface RobustMean {
  readonly centre: number;
  /** Robust standard deviation of one point. */
  readonly scale: number;
  /** Squares of the distances as far as they count, as of so many points. */
  readonly squares: number;
  readonly count: number;
}

/**
 * Huber's M-estimate: the mean, where a point counts by at most REACH deviations. For normal values its spread is
 * hardly that of the mean, while a median's is a quarter more. Weights move the centre only.
 */
export function robustMean(values: Float64Array, weights: Float64Array): RobustMean {
  const scale = medianAbsoluteDeviation(values);
  const reach = REACH * scale;
  let centre = median(values);
  let inside = values.length;
  for (let round = 0; round < ROUNDS && reach > 0; round++) {
    let [pull, weight] = [0, 0];
    inside = 0;
    for (let i = 0; i < values.length; i++) {
      const [distance, w] = [(values[i] as number) - centre, weights[i] as number]; // as long as the values
      const isInside = Math.abs(distance) <= reach;
      pull += w * (isInside ? distance : Math.sign(distance) * reach);
      weight += isInside ? w : 0;
      inside += isInside ? 1 : 0;
    }
    if (!(weight > 0)) break;
    centre += pull / weight;
  }
  let squares = 0;
  for (const value of values) squares += Math.min(reach, Math.abs(value - centre)) ** 2;
  // Points that are cut off do not hold the centre: the fewer hold it, the wider it spreads (Huber, 1964).
  const share = Math.max(0.5, inside / values.length);
  return { centre, scale, squares: squares / share ** 2, count: values.length };
}

const REACH = 2;
const ROUNDS = 8;
