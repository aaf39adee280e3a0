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

export interface PairCollector {
  /** Keeps the pair when it overlaps enough; touching is no overlap. */
  consider(positionA: number, positionB: number): void;
  pairs(): Pairs;
}

/**
 * Collects pairs whose overlap is more than `minOverlap` of the time of both. Columns grow by doubling: nobody knows
 * beforehand how many pairs there are, and an object for each would cost more than finding it.
 */
export function collectOverlaps(a: Spans, b: Spans, minOverlap: number): PairCollector {
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

export interface GrowingPairs {
  add(positionA: number, positionB: number, weight: number): void;
  pairs(): Pick<Pairs, 'count' | 'a' | 'b' | 'weights'>;
}

export function growingPairs(capacity: number): GrowingPairs {
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
