/** What rank tests need to know of two lists together. */
export interface MergedRanks {
  /** Pairs in which the value of the first list is the larger, ties counting half. */
  readonly u: number;
  /** Sum of t^3 - t over all groups of t equal values, of both lists; 0 without ties. */
  readonly tied: number;
}

/** Walks through two ascending lists at once. */
export function mergeRanks(a: Float64Array, b: Float64Array): MergedRanks {
  let [u, tied, i, j] = [0, 0, 0, 0];
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    const [startA, startB] = [i, j];
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    u += (i - startA) * (startB + (j - startB) / 2);
    const together = i - startA + j - startB;
    tied += together ** 3 - together;
  }
  return { u, tied };
}
