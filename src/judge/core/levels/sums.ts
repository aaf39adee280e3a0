import { median } from '../../../stats/summary.ts';

/** Prefix sums over a range of a series: the sum over any part of it is a difference of two. */
export interface Sums {
  /** Points. */
  readonly length: number;
  /** Weights, and weights times place and its square. */
  readonly weight: Float64Array;
  readonly place: Float64Array;
  readonly placeSquare: Float64Array;
  /** Weights times value, its square, and place times value. */
  readonly value: Float64Array;
  readonly square: Float64Array;
  readonly moment: Float64Array;
}

export function sumsOf(values: Float64Array, weights: Float64Array): Sums {
  const length = values.length;
  const column = () => new Float64Array(length + 1);
  const [weight, place, placeSquare] = [column(), column(), column()];
  const [value, square, moment] = [column(), column(), column()];
  for (let i = 0; i < length; i++) {
    const [w, x] = [weights[i] as number, values[i] as number]; // i < length
    weight[i + 1] = (weight[i] as number) + w;
    place[i + 1] = (place[i] as number) + w * i;
    placeSquare[i + 1] = (placeSquare[i] as number) + w * i * i;
    value[i + 1] = (value[i] as number) + w * x;
    square[i + 1] = (square[i] as number) + w * x * x;
    moment[i + 1] = (moment[i] as number) + w * i * x;
  }
  return { length, weight, place, placeSquare, value, square, moment };
}

/** Part of a range: from this index up to that before `to`. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Two neighbouring levels. */
export interface Step {
  readonly from: number;
  readonly at: number;
  readonly to: number;
}

/** Sum of one column over a part. */
export function over(column: Float64Array, { from, to }: Part): number {
  return (column[to] as number) - (column[from] as number);
}

export const meanOver = (sums: Sums, part: Part): number => over(sums.value, part) / over(sums.weight, part);

/** Weighted squares of the distances from the mean of the part; rounding must not make them negative. */
export function squaresOver(sums: Sums, part: Part): number {
  const total = over(sums.value, part);
  return Math.max(0, over(sums.square, part) - (total * total) / over(sums.weight, part));
}

/** The median weight; without sorting where all are the same, as they mostly are. */
export function usualWeight(weights: Float64Array): number {
  const first = weights[0] ?? 1;
  return weights.every((weight) => weight === first) ? first : median(weights);
}
