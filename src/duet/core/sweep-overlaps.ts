import { orderByStart } from './order-by-start.ts';
import { collectOverlaps, type Pairs, type Spans } from './pairs.ts';

/**
 * The pairs that the original tool finds, for results that must agree with its own. It moves on from whichever side
 * starts first, also when that one is still running, and so loses pairs where one iteration spans several of the other
 * side: A = [0, 10] and B = [1, 2], [3, 4], [5, 6] give one pair of three. Use findOverlaps for everything else.
 */
export function sweepOverlaps(a: Spans, b: Spans, minOverlap: number): Pairs {
  const found = collectOverlaps(a, b, minOverlap);
  const orderA = orderByStart(a);
  const orderB = orderByStart(b);
  let nextA = 0;
  let nextB = 0;
  while (nextA < orderA.length && nextB < orderB.length) {
    const i = orderA[nextA] as number; // both are below their lengths
    const j = orderB[nextB] as number;
    found.consider(i, j);
    const ahead = (a.starts[i] as number) - (b.starts[j] as number);
    const isPassedA = ahead === 0 ? (a.ends[i] as number) <= (b.ends[j] as number) : ahead < 0;
    if (isPassedA) nextA++;
    else nextB++;
  }
  return found.pairs();
}
