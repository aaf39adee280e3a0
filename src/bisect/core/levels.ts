import { median } from '../../stats/summary.ts';
import { dot, factorize, invert, logDeterminant } from './cholesky.ts';
import type { MeasuredPair } from './search.ts';

/** A build of a commit, against one build of the good commit. */
export interface Unit {
  readonly commit: number;
  readonly build: number;
  readonly goodBuild: number;
  readonly pairs: number;
}

/** The pairs of one measure, outliers pulled in. */
export interface UnitPairs {
  readonly units: readonly Unit[];
  /** Of each pair: its unit, its value, 1 for AB and -1 for BA, its round. */
  readonly unit: Int32Array;
  readonly value: Float64Array;
  readonly sign: Int8Array;
  readonly round: Int32Array;
  /** Standard deviation below which no noise is believed. */
  readonly floor: number;
}

/** Of a normal distribution one value in 370 lies farther out. */
const OUTLIER = 3;
/** From so many pairs on the median of a unit says where it lies. */
const ENOUGH = 3;
/** Pairs that agree to the last digit do not prove a machine without noise. */
const LEAST_NOISE = 0.002;
const LEAST_OF_SHIFT = 1 / 50;

export function unitPairs(pairs: readonly MeasuredPair[], measure: string): UnitPairs {
  const index = new Map<string, number>();
  const lists: number[][] = [];
  const units: Unit[] = [];
  const unit = new Int32Array(pairs.length);
  for (const [at, { commit, build, goodBuild, logRatios }] of pairs.entries()) {
    const key = `${commit} ${build} ${goodBuild}`;
    let number = index.get(key);
    if (number === undefined) {
      number = units.length;
      index.set(key, number);
      units.push({ commit, build, goodBuild, pairs: 0 });
      lists.push([]);
    }
    unit[at] = number;
    lists[number]?.push(logRatios[measure] ?? 0);
  }
  const counted = units.map((one, at) => ({ ...one, pairs: lists[at]?.length ?? 0 }));
  const { value, floor } = pullIn(pairs, measure, unit, lists);
  return {
    ...{ units: counted, unit, value, floor },
    sign: Int8Array.from(pairs, ({ order }) => (order === 'AB' ? 1 : -1)),
    round: Int32Array.from(pairs, ({ round }) => round),
  };
}

/** One hiccup of the machine must not decide: values far outside are moved to where they are just unlikely. */
function pullIn(
  pairs: readonly MeasuredPair[],
  measure: string,
  unit: Int32Array,
  lists: readonly (readonly number[])[],
): { readonly value: Float64Array; readonly floor: number } {
  const centres = lists.map((list) => median(Float64Array.from(list)));
  const sure = [0, ...centres.filter((_, at) => (lists[at]?.length ?? 0) >= ENOUGH)];
  const [low, high] = [Math.min(...sure), Math.max(...sure)];
  const floor = Math.max(LEAST_NOISE, (high - low) * LEAST_OF_SHIFT);
  const reach = OUTLIER * Math.max(noiseOf(lists), floor);
  const value = Float64Array.from(pairs, ({ logRatios }, at) => {
    const own = unit[at] ?? 0;
    const centre = centres[own] ?? 0;
    const isKnown = (lists[own]?.length ?? 0) >= ENOUGH || sure.length === 1;
    const middle = isKnown ? centre : Math.min(high, Math.max(low, centre));
    return Math.min(middle + reach, Math.max(middle - reach, logRatios[measure] ?? 0));
  });
  return { value, floor };
}

/** From differences of neighbours, so that it does not matter around what the pairs of a unit scatter. */
function noiseOf(lists: readonly (readonly number[])[]): number {
  const differences: number[] = [];
  for (const list of lists) {
    for (let at = 1; at < list.length; at += 2)
      differences.push(Math.abs((list[at] ?? 0) - (list[at - 1] ?? 0)));
  }
  // 1.4826 makes the median of absolute values a standard deviation; the difference of two has the root of 2 more.
  return differences.length === 0 ? 0 : (1.4826 * median(Float64Array.from(differences))) / Math.SQRT2;
}

/**
 * What the pairs say of the level of each unit, where rounds scatter by `rounds` times as much as the pairs of one. Levels
 * are normal around `estimate` with `inverse` times the variance of a pair.
 */
export interface LevelFit {
  readonly estimate: Float64Array;
  readonly inverse: Float64Array;
  /** Sum of squares that no level explains, and the variance of a pair. */
  readonly rest: number;
  readonly variance: number;
  /** Logarithm of the determinants of this fit in the likelihood. */
  readonly log: number;
}

/** How much the floor of the noise counts: as so many pairs. */
export const FLOOR_PAIRS = 2;
/** What the order of the sides adds to a pair, expected within so many standard deviations of a pair. */
const ORDER = 2;

export function fitLevels({ units, unit, value, sign, round, floor }: UnitPairs, rounds: number): LevelFit {
  const size = units.length;
  const products = new Float64Array(size * size);
  const [sums, signs] = [new Float64Array(size), new Float64Array(size)];
  let [squares, log, order, ordered] = [0, 0, 1 / ORDER ** 2, 0];
  const share = rounds * rounds;
  for (let from = 0; from < value.length; ) {
    let to = from;
    while (to < value.length && round[to] === round[from]) to++;
    const weight = share / (1 + (to - from) * share);
    log -= 0.5 * Math.log1p((to - from) * share);
    let [sum, signSum] = [0, 0];
    for (let at = from; at < to; at++) {
      sum += value[at] ?? 0;
      signSum += sign[at] ?? 0;
    }
    for (let at = from; at < to; at++) {
      const [u, v, s] = [unit[at] ?? 0, value[at] ?? 0, sign[at] ?? 0];
      add(products, u * size + u, 1);
      for (let other = from; other < to; other++) add(products, u * size + (unit[other] ?? 0), -weight);
      add(sums, u, v - weight * sum);
      add(signs, u, s - weight * signSum);
      squares += v * v;
      ordered += s * v;
    }
    squares -= weight * sum * sum;
    order += to - from - weight * signSum * signSum;
    ordered -= weight * signSum * sum;
    from = to;
  }
  // The effect of the order is integrated out.
  log -= 0.5 * Math.log(order * ORDER ** 2);
  squares -= ordered ** 2 / order;
  for (let row = 0; row < size; row++) {
    add(sums, row, (-(signs[row] ?? 0) * ordered) / order);
    for (let column = 0; column < size; column++)
      add(products, row * size + column, (-(signs[row] ?? 0) * (signs[column] ?? 0)) / order);
  }
  const factor = factorize(products, size);
  const inverse = invert(factor, size);
  const estimate = Float64Array.from({ length: size }, (_, row) =>
    dot(inverse.subarray(row * size, (row + 1) * size), sums),
  );
  const rest = Math.max(0, squares - dot(estimate, sums)) + FLOOR_PAIRS * floor * floor;
  const variance = rest / (Math.max(0, value.length - size) + FLOOR_PAIRS);
  return { estimate, inverse, rest, variance, log: log - 0.5 * logDeterminant(factor, size) };
}

function add(to: Float64Array, at: number, more: number): void {
  to[at] = (to[at] ?? 0) + more;
}
