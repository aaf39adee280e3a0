import { orderByStart } from './order-by-start.ts';
import { collectOverlaps, type Pairs, type Spans } from './pairs.ts';

/**
 * All pairs of an iteration of A and one of B that ran at the same moment. Iterations may come in any order and may
 * overlap others of their own side.
 *
 * Both sides are merged by start; whoever starts next meets exactly those of the other side that start before it ends
 * (a forward scan). Every step of a scan is a pair, so sorted input costs no more than its length and its pairs.
 */
export function findOverlaps(a: Spans, b: Spans, minOverlap: number): Pairs {
  const found = collectOverlaps(a, b, minOverlap);
  const orderA = orderByStart(a);
  const orderB = orderByStart(b);
  let nextA = 0;
  let nextB = 0;
  while (nextA < orderA.length && nextB < orderB.length) {
    const i = orderA[nextA] as number; // both are below their lengths
    const j = orderB[nextB] as number;
    if ((a.starts[i] as number) <= (b.starts[j] as number)) {
      const last = startingBefore(b.starts, { order: orderB, from: nextB, end: a.ends[i] as number });
      for (let k = nextB; k < last; k++) found.consider(i, orderB[k] as number);
      nextA++;
    } else {
      const last = startingBefore(a.starts, { order: orderA, from: nextA, end: b.ends[j] as number });
      for (let k = nextA; k < last; k++) found.consider(orderA[k] as number, j);
      nextB++;
    }
  }
  return found.pairs();
}

interface Scan {
  readonly order: Int32Array;
  readonly from: number;
  readonly end: number;
}

/** Where in the order the first one stands that starts at `end` or later. */
function startingBefore(starts: Float64Array, { order, from, end }: Scan): number {
  let k = from;
  while (k < order.length && (starts[order[k] as number] as number) < end) k++;
  return k;
}
