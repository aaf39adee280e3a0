import type { Iterations } from '../../../formats/core/format.ts';
import type { DuetRunType } from '../duet.ts';
import type { AnalysisOptions } from './duet-analysis.ts';

interface BothSides {
  readonly type: DuetRunType;
  readonly A: Iterations;
  readonly B: Iterations;
}

/**
 * Which iterations of one run are compared. Sides that ran freely at once: those that overlap in time. Sides that a
 * barrier held together, sides that ran alone, and harnesses that report no timestamps: those of the same number.
 */
export function pairIterations(
  { type, A, B }: BothSides,
  { pairing, minOverlap }: Pick<AnalysisOptions, 'pairing' | 'minOverlap'>,
): Pairs {
  const [a, b] = [spansOf(A), spansOf(B)];
  if (type !== 'duet' || !a || !b) return pairByNumber(A.numbers, B.numbers);
  return pairing === 'sweep' ? sweepOverlaps(a, b, minOverlap) : findOverlaps(a, b, minOverlap);
}

function spansOf({ starts, ends, times }: Iterations): Spans | undefined {
  return starts && ends ? { starts, ends, times } : undefined;
}

/**
 * All pairs of an iteration of A and one of B that ran at the same time. Iterations may come in any order and may
 * overlap others of their own side.
 *
 * Both sides are merged by start; the next one to start meets exactly those of the other side that start before it ends
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

/** Pairs of iterations of the same number; of numbers that occur more than once, the first with the first and so on. */
function pairByNumber(a: Int32Array, b: Int32Array): Pairs {
  const found = growingPairs(Math.min(a.length, b.length));
  const orderA = orderByNumber(a);
  const orderB = orderByNumber(b);
  let nextA = 0;
  let nextB = 0;
  while (nextA < a.length && nextB < b.length) {
    const i = orderA[nextA] as number; // both are below their lengths
    const j = orderB[nextB] as number;
    const ahead = (a[i] as number) - (b[j] as number);
    if (ahead === 0) found.add(i, j, 1);
    if (ahead <= 0) nextA++;
    if (ahead >= 0) nextB++;
  }
  return { ...found.pairs(), by: 'number', weak: 0 };
}

function orderByNumber(numbers: Int32Array): Int32Array {
  const order = Int32Array.from(numbers, (_, position) => position);
  const isSorted = numbers.every((number, i) => i === 0 || (numbers[i - 1] as number) <= number);
  return isSorted ? order : order.sort((i, j) => (numbers[i] as number) - (numbers[j] as number) || i - j);
}

/** Pairs of iterations as columns: positions in the columns of A and of B, and how long both ran at once. */
export interface Pairs {
  readonly by: 'overlap' | 'number';
  readonly count: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** Nanoseconds during which both ran; 1 for each pair that was made by number. */
  readonly weights: Float64Array;
  /** Pairs that overlap, but not enough to count. */
  readonly weak: number;
}

/** When iterations ran, as columns. */
export interface Spans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly times: Float64Array;
}

interface PairCollector {
  /** Keeps the pair when it overlaps enough; touching is not an overlap. */
  consider(positionA: number, positionB: number): void;
  pairs(): Pairs;
}

/**
 * Collects pairs whose overlap is more than `minOverlap` of the time of both. Columns grow by doubling: the
 * number of pairs is unknown beforehand, and an object for each would cost more than finding it.
 */
function collectOverlaps(a: Spans, b: Spans, minOverlap: number): PairCollector {
  const found = growingPairs(a.starts.length + b.starts.length);
  let weak = 0;
  return {
    consider(i, j) {
      const end = Math.min(a.ends[i] as number, b.ends[j] as number);
      const overlap = end - Math.max(a.starts[i] as number, b.starts[j] as number);
      if (!(overlap > 0)) return;
      const isEnough =
        overlap > minOverlap * (a.times[i] as number) && overlap > minOverlap * (b.times[j] as number);
      if (isEnough) found.add(i, j, overlap);
      else weak++;
    },
    pairs: () => ({ ...found.pairs(), by: 'overlap', weak }),
  };
}

interface GrowingPairs {
  add(positionA: number, positionB: number, weight: number): void;
  pairs(): Pick<Pairs, 'count' | 'a' | 'b' | 'weights'>;
}

function growingPairs(capacity: number): GrowingPairs {
  let a = new Int32Array(Math.max(capacity, 4));
  let b = new Int32Array(a.length);
  let weights = new Float64Array(a.length);
  let count = 0;
  return {
    add(i, j, weight) {
      if (count === a.length) {
        a = twice(a, Int32Array);
        b = twice(b, Int32Array);
        weights = twice(weights, Float64Array);
      }
      a[count] = i;
      b[count] = j;
      weights[count] = weight;
      count++;
    },
    pairs: () => ({
      count,
      a: a.subarray(0, count),
      b: b.subarray(0, count),
      weights: weights.subarray(0, count),
    }),
  };
}

function twice<T extends Int32Array | Float64Array>(values: T, Kind: new (length: number) => T): T {
  const larger = new Kind(values.length * 2);
  larger.set(values);
  return larger;
}

/** Positions of the spans that last, by start; spans without length overlap nothing and are left out. */
function orderByStart({ starts, ends }: Spans): Int32Array {
  const order = new Int32Array(starts.length);
  let kept = 0;
  let isSorted = true;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] as number; // below the length
    if (!((ends[i] as number) > start)) continue;
    if (start < last) isSorted = false;
    last = start;
    order[kept++] = i;
  }
  const positions = order.subarray(0, kept);
  if (isSorted) return positions;
  return positions.sort((i, j) => (starts[i] as number) - (starts[j] as number) || i - j);
}
