import { seededRandom } from '../../stats/random.ts';
import type { DuetOrder } from './duet.ts';

/** How many pairs to run: a fixed number, or what fits into a time. */
export type PairCount =
  | { readonly type: 'exact'; readonly pairs: number }
  | { readonly type: 'timed'; readonly least: number; readonly most: number; readonly seconds: number };

/** The number of pairs, decided before any result is analysed. */
export function countPairs(count: PairCount, secondsAPair: number): number {
  if (count.type === 'exact') return count.pairs;
  const fitting = secondsAPair > 0 ? Math.ceil(count.seconds / secondsAPair) : count.most;
  return Math.max(count.least, Math.min(count.most, fitting));
}

/**
 * Who comes first, pair by pair: blocks of two that hold each order once, the first one of a block drawn by the seed.
 * Alternating runs become A B B A or B A A B, in which a steady drift cancels out; no rhythm of the machine can
 * fall in with the pairs for long.
 */
export function* pairOrders(seed: number): Generator<DuetOrder, never> {
  const random = seededRandom(seed);
  for (;;) {
    const first = random() < 0.5;
    yield first ? 'AB' : 'BA';
    yield first ? 'BA' : 'AB';
  }
}

/** The ratio of one pair. */
export interface PairRatio {
  /** Its number, from 0 on; pairs that were left out have one too. */
  readonly pair: number;
  /** Natural logarithm of B / A. */
  readonly logRatio: number;
}

/** With fewer the rougher steps of small samples cost more than the swap gains. */
const ENOUGH_UNITS = 20;

/**
 * How many pairs are one independent run of the statistics. Where sides change places from pair to pair (cores swapped, or
 * A B B A), what a place adds to one pair it takes from the next: two of them are one run, in which it has gone.
 */
export function pairsAUnit(pairs: number, doSidesChangePlaces: boolean): 1 | 2 {
  return doSidesChangePlaces && pairs >= 2 * ENOUGH_UNITS ? 2 : 1;
}

/** One logarithm for each whole unit; half a unit is left out. */
export function unitRatios(ratios: readonly PairRatio[], size: 1 | 2): Float64Array {
  if (size === 1) return Float64Array.from(ratios, ({ logRatio }) => logRatio);
  const units: number[] = [];
  for (const [index, { pair, logRatio }] of ratios.entries()) {
    const next = ratios[index + 1];
    if (pair % 2 === 0 && next?.pair === pair + 1) units.push((logRatio + next.logRatio) / 2);
  }
  return Float64Array.from(units);
}

/** Two sets of cores of the same size. */
export type CoreHalves = readonly [readonly number[], readonly number[]];

/**
 * Halves the cores so that the sides share no physical core; where there is but one physical core, its threads are
 * halved. Undefined when there are not two cores. With an odd number one stays unused: halves are swapped, so they are alike.
 */
export function splitCores(physical: readonly (readonly number[])[]): CoreHalves | undefined {
  // Cores with the same number of threads are alike; those with fewer may be disabled in part.
  const sorted = [...physical].sort((a, b) => b.length - a.length);
  const half = Math.floor(sorted.length / 2);
  if (half > 0) {
    const halves: [number[], number[]] = [[], []];
    for (let index = 0; index < half; index++) {
      const [one = [], other = []] = [sorted[2 * index], sorted[2 * index + 1]];
      const size = Math.min(one.length, other.length);
      halves[0].push(...one.slice(0, size));
      halves[1].push(...other.slice(0, size));
    }
    return halves;
  }
  const threads = sorted[0] ?? [];
  const middle = Math.floor(threads.length / 2);
  return middle > 0 ? [threads.slice(0, middle), threads.slice(middle, 2 * middle)] : undefined;
}
