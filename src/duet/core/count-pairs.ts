/** How many pairs to run: as many as were asked for, or what fits into a time. */
export type PairCount =
  | { readonly type: 'exact'; readonly pairs: number }
  | { readonly type: 'timed'; readonly least: number; readonly most: number; readonly seconds: number };

/** The number of pairs, decided before any result is looked at. */
export function countPairs(count: PairCount, secondsAPair: number): number {
  if (count.type === 'exact') return count.pairs;
  const fitting = secondsAPair > 0 ? Math.ceil(count.seconds / secondsAPair) : count.most;
  return Math.max(count.least, Math.min(count.most, fitting));
}
