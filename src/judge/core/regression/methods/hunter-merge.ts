import { type Cut, magnitude, testCut } from './hunter-test.ts';

export interface MergeLimits {
  readonly maxP: number;
  readonly minMagnitude: number;
}

/**
 * Takes weak cuts away, the weakest first, until all are both certain and large. The original measures anew the two cuts that
 * follow the one taken away, and not the one before it: its results are kept to the letter.
 */
export function mergeCuts(series: Float64Array, found: readonly Cut[], limits: MergeLimits): readonly Cut[] {
  const cuts = [...found];
  while (cuts.length > 0) {
    const weakest = weakestOf(cuts, limits);
    if (weakest === undefined) break;
    cuts.splice(weakest, 1);
    for (const at of [weakest, weakest + 1]) {
      const cut = cuts[at];
      if (!cut) continue;
      const ends = { from: cuts[at - 1]?.index ?? 0, to: cuts[at + 1]?.index ?? series.length };
      cuts[at] = testCut(series, cut.index, ends) ?? cut;
    }
  }
  return cuts;
}

/** The least certain one; where all are certain, the smallest. Undefined when that is large enough. */
function weakestOf(cuts: readonly Cut[], { maxP, minMagnitude }: MergeLimits): number | undefined {
  const doubtful = firstLargest(cuts, ({ p }) => p);
  if (!((cuts[doubtful]?.p ?? 0) < maxP)) return doubtful;
  const smallest = firstLargest(cuts, (cut) => -magnitude(cut));
  const cut = cuts[smallest];
  return cut && magnitude(cut) > minMagnitude ? undefined : smallest;
}

function firstLargest(cuts: readonly Cut[], measure: (cut: Cut) => number): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const [at, cut] of cuts.entries()) {
    const size = measure(cut);
    if (size > most) [best, most] = [at, size];
  }
  return best;
}
