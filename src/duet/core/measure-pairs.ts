import type { Iterations } from '../../formats/core/iterations.ts';
import { runLogRatio } from '../../stats/run-ratio.ts';
import type { Pairs } from './pairs.ts';

/** Both sides of a run, after warm-up. */
export interface Sides {
  readonly A: Iterations;
  readonly B: Iterations;
}

/**
 * The natural logarithm of B / A of one run, from its pairs; undefined without any.
 *
 * A pair weighs as much as both ran at once, measured in their own times: overlap / sqrt(timeA * timeB). All pairs of
 * one iteration together then weigh about 1, however many it has: pairs are no independent observations. The plain
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
