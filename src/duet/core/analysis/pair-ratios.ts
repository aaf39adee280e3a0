import type { Iterations } from '../../../formats/core/format.ts';
import { runLogRatio } from '../../../stats/run-ratio.ts';
import { quantile } from '../../../stats/summary.ts';
import type { Pairs } from './pair-iterations.ts';

/** Both sides of a run, after warm-up. */
export interface Sides {
  readonly A: Iterations;
  readonly B: Iterations;
}

/**
 * The natural logarithm of B / A of one run, from its pairs; undefined without any.
 *
 * A pair weighs as much as both ran at once, measured in their own times: overlap / sqrt(timeA * timeB). All pairs of
 * one iteration together then weigh about 1, however many it has: pairs are not independent observations. The plain
 * overlap would count long iterations more often, and a smallest overlap would keep just those pairs in which the
 * sides are alike, which pulls the ratio to 1. docs/guide/duet-analysis.md has the simulation that led to this.
 */
export function logRatioOfPairs(sides: Sides, pairs: Pairs): number | undefined {
  if (pairs.count === 0) return undefined;
  const logRatios = logRatiosOf(sides, pairs);
  if (pairs.by === 'number') return runLogRatio(logRatios);
  const { A, B } = sides;
  const weights = pairs.weights.map((overlap, k) => {
    return overlap / Math.sqrt(timeAt(A, pairs.a, k) * timeAt(B, pairs.b, k));
  });
  return runLogRatio(logRatios, weights);
}

/** Mean of A - B over the pairs of a run, all counting the same: what the original takes of a run. */
export function meanDifference({ A, B }: Sides, { count, a, b }: Pairs): number | undefined {
  if (count === 0) return undefined;
  let total = 0;
  for (let k = 0; k < count; k++) total += timeAt(A, a, k) - timeAt(B, b, k);
  return total / count;
}

/** Natural logarithms of B / A, one a pair. */
export function logRatiosOf({ A, B }: Sides, { count, a, b }: Pairs): Float64Array {
  const logRatios = new Float64Array(count);
  for (let k = 0; k < count; k++) logRatios[k] = Math.log(timeAt(B, b, k) / timeAt(A, a, k));
  return logRatios;
}

/** Middle of the logarithms of the times of one side that ran alone, trimmed like the ratios of pairs. */
export function logTimeOf({ times }: Iterations): number | undefined {
  if (times.length === 0) return undefined;
  return runLogRatio(times.map((time) => Math.log(time)));
}

/** Iterations of both sides that no pair has. */
export function countUnpaired({ A, B }: Sides, { a, b }: Pairs): number {
  return unseen(A.times.length, a) + unseen(B.times.length, b);
}

function unseen(length: number, positions: Int32Array): number {
  const isSeen = new Uint8Array(length);
  for (const position of positions) isSeen[position] = 1;
  return isSeen.reduce((count, seen) => count - seen, length);
}

function timeAt({ times }: Iterations, positions: Int32Array, pair: number): number {
  return times[positions[pair] as number] as number; // pairs hold positions of these columns
}

/** How often which ratio was seen: bins of equal width in the logarithm. */
export interface RatioBins {
  /** Lower end of the first bin and upper end of the last, as ratios. */
  readonly from: number;
  readonly to: number;
  readonly counts: readonly number[];
  /** Ratios below the first bin and above the last: far out, and counted all the same. */
  readonly below: number;
  readonly above: number;
}

const BINS = 60;
/** Of the ratios, on each side, that may lie outside: one far out would squeeze all others into one bin. */
const OUTSIDE = 0.002;

/** Undefined without ratios. */
export function ratioBins(logRatios: Float64Array): RatioBins | undefined {
  const finite = logRatios.filter(Number.isFinite);
  if (finite.length === 0) return undefined;
  const [low, high] = [quantile(finite, OUTSIDE), quantile(finite, 1 - OUTSIDE)];
  const room = (high - low) * 0.02 || 0.001;
  const [from, to] = [low - room, high + room];
  const count = Math.min(BINS, Math.max(5, Math.ceil(Math.sqrt(finite.length))));
  const counts = new Array<number>(count).fill(0);
  let [below, above] = [0, 0];
  for (const one of finite) {
    if (one < from) below++;
    else if (one > to) above++;
    else {
      const bin = Math.min(count - 1, Math.floor(((one - from) / (to - from)) * count));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  return { from: Math.exp(from), to: Math.exp(to), counts, below, above };
}
