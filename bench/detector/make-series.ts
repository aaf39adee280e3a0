import { seededRandom } from '../../src/stats/random.ts';
import type { Residuals } from './residuals.ts';

/** A series with a known truth. */
export interface Made {
  readonly values: Float64Array;
  /** First index of each new level. */
  readonly truth: readonly number[];
  /** Of each step: what the level is multiplied by. */
  readonly factors: readonly number[];
}

export interface Making {
  /** Each step multiplies the level by 1 + step or divides by it; 0 makes a series without any. */
  readonly step: number;
  /** Shortest and longest stretch of residuals that stays together. */
  readonly block: readonly [number, number];
  /** Fewest and most points of a series; all between alike. */
  readonly length: readonly [number, number];
  /** Fewest points between two steps, and from a step to either end. */
  readonly space: number;
  readonly seed: number;
}

/** Residuals are taken in blocks from anywhere in one history and put one after the other. Two steps, up or down by chance. */
export function makeSeries({ ratios }: Residuals, { step, block, seed, ...shape }: Making): Made {
  const random = seededRandom(seed);
  const [shortest, longest] = shape.length;
  const length = shortest + Math.floor(random() * (longest - shortest + 1));
  const values = resample(ratios, { length, block, random });
  if (step === 0) return { values, truth: [], factors: [] };
  const free = length - 3 * shape.space;
  const [a, b] = [Math.floor(random() * (free + 1)), Math.floor(random() * (free + 1))];
  const truth = [Math.min(a, b) + shape.space, Math.max(a, b) + 2 * shape.space];
  const factors = truth.map((from) => {
    const factor = random() < 0.5 ? 1 + step : 1 / (1 + step);
    for (let index = from; index < length; index++) values[index] = (values[index] ?? 0) * factor;
    return factor;
  });
  return { values, truth, factors };
}

interface Resampling {
  readonly length: number;
  readonly block: readonly [number, number];
  readonly random: () => number;
}

function resample(ratios: Float64Array, { length, block, random }: Resampling): Float64Array {
  const values = new Float64Array(length);
  for (let at = 0; at < length; ) {
    const size = Math.min(
      ratios.length,
      length - at,
      block[0] + Math.floor(random() * (block[1] - block[0] + 1)),
    );
    const from = Math.floor(random() * (ratios.length - size + 1));
    values.set(ratios.subarray(from, from + size), at);
    at += size;
  }
  return values;
}
