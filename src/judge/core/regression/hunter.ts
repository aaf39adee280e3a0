import type { JsonObject } from '../../../platform/core/text/json.ts';
import { studentCdf } from '../../../stats/distributions.ts';
import { mean, populationDeviation } from '../../../stats/summary.ts';
import type { MethodResult, RegressionMethod } from './regression-method.ts';

const MAX_P = 0.001;
const MIN_MAGNITUDE = 0.05;

/**
 * E-divisive cuts in windows of 50, tested by Student's t, the weak ones merged away (Fleming and others, "Hunter", ICPE 2023),
 * as the original has set it. It reports a change once: when the newest value alone is on the right of the last cut.
 */
export const hunter: RegressionMethod = {
  name: 'hunter',
  judge(history, current, { lowerBetter }) {
    const series = new Float64Array(history.length + 1);
    series.set(history);
    series[history.length] = current;
    const cuts = mergeCuts(series, splitSeries(series), { maxP: MAX_P, minMagnitude: MIN_MAGNITUDE });
    const details = cuts.map(detailsOf);
    const last = cuts.at(-1);
    if (!last) return { accepted: true, rating: 0, description: 'Inline', details };
    const isDecrease = last.right.mean < last.left.mean;
    // Without a direction higher is taken for better, as the original does.
    const improved = isDecrease === (lowerBetter ?? false);
    return { ...verdict(last, history.length, { improved, cuts: cuts.length }), details };
  },
};

function verdict(
  last: Cut,
  newest: number,
  { improved, cuts }: { readonly improved: boolean; readonly cuts: number },
): Omit<MethodResult, 'details'> {
  if (last.index === newest) {
    return { accepted: false, rating: 1, improved, description: improved ? 'Jump' : 'Regression' };
  }
  return { accepted: true, rating: 0, improved, description: `Inline (${cuts} historical)` };
}

function detailsOf({ index, left, right, p }: Cut): JsonObject {
  return {
    index,
    mean_1: left.mean,
    mean_2: right.mean,
    std_1: left.deviation,
    std_2: right.deviation,
    pvalue: p,
    forward_rel_change: right.mean / left.mean - 1,
  };
}

const WINDOW = 50;
/** Laxer than the final test: weak cuts are merged later. */
const SPLIT_MAX_P = 0.01;

/** Cuts of the whole series, window by window, so that the work grows with its length only. */
export function splitSeries(series: Float64Array): readonly Cut[] {
  const indexes: number[] = [];
  let start = 0;
  while (start < series.length) {
    const window = series.subarray(start, start + WINDOW);
    const found = cutsOfWindow(window).map((index) => index + start);
    indexes.push(...found);
    start = Math.max(found.at(-1) ?? 0, start + WINDOW / 2);
  }
  const ends = [0, ...indexes, series.length];
  return indexes.flatMap(
    (index, at) => testCut(series, index, { from: ends[at] ?? 0, to: ends[at + 2] ?? series.length }) ?? [],
  );
}

/** Cuts one range after the other where it divides best, until the best place of all is no significant one. */
function cutsOfWindow(window: Float64Array): readonly number[] {
  let ends: readonly number[] = [0, window.length];
  const known = new Map<string, ReturnType<typeof bestCut>>();
  const bestOf = (from: number, to: number) => {
    const key = `${from} ${to}`;
    const best = known.get(key) ?? bestCut(window.subarray(from, to));
    known.set(key, best);
    return best;
  };
  for (;;) {
    let chosen: { index: number; from: number; to: number; gain: number } | undefined;
    for (const [at, from] of ends.slice(0, -1).entries()) {
      const to = ends[at + 1] ?? window.length;
      const { index, gain } = bestOf(from, to);
      if (chosen === undefined || gain > chosen.gain) chosen = { index: index + from, from, to, gain };
    }
    const cut = chosen && testCut(window, chosen.index, chosen);
    if (!cut || !(cut.p <= SPLIT_MAX_P)) return ends.slice(1, -1);
    ends = [...ends, cut.index].sort((a, b) => a - b);
  }
}

export interface MergeLimits {
  readonly maxP: number;
  readonly minMagnitude: number;
}

/**
 * Removes weak cuts, the weakest first, until all are both certain and large. The original measures anew the two cuts that
 * follow the removed one, and not the one before it: its results are kept exactly.
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

/** A place where a series may be cut in two, and how different the ranges on both sides are. */
export interface Cut {
  /** Index of the first value on the right. */
  readonly index: number;
  readonly left: RangeStats;
  readonly right: RangeStats;
  readonly p: number;
}

export interface RangeStats {
  readonly mean: number;
  /** With the divisor n. */
  readonly deviation: number;
  readonly count: number;
}

/** Tests the cut at `index` of the range from `from` to `to`; undefined when one side is empty. */
function testCut(
  series: Float64Array,
  index: number,
  { from, to }: { readonly from: number; readonly to: number },
): Cut | undefined {
  if (index <= from || index >= to) return undefined;
  const left = rangeStats(series.subarray(from, index));
  const right = rangeStats(series.subarray(index, to));
  return { index, left, right, p: pooledP(left, right) };
}

function magnitude({ left, right }: Cut): number {
  return Math.max(Math.abs(right.mean / left.mean - 1), Math.abs(left.mean / right.mean - 1));
}

function rangeStats(values: Float64Array): RangeStats {
  const deviation = values.length < 2 ? 0 : populationDeviation(values);
  return { mean: mean(values), deviation, count: values.length };
}

/** Two-sided, pooled; deviations with the divisor n, as the original gives them to the test. Not a number where nothing varies. */
function pooledP(one: RangeStats, other: RangeStats): number {
  const freedom = one.count + other.count - 2;
  if (freedom === 0) return 1;
  const squares = (one.count - 1) * one.deviation ** 2 + (other.count - 1) * other.deviation ** 2;
  const error = Math.sqrt((squares / freedom) * (1 / one.count + 1 / other.count));
  return Math.min(1, 2 * studentCdf(-Math.abs((one.mean - other.mean) / error), freedom));
}

/** Where a range divides best into two, and by how much: 0 where nothing is gained (Matteson and James, 2014). */
function bestCut(values: Float64Array): { readonly index: number; readonly gain: number } {
  const count = values.length;
  // Sums of distances: of the value at each place to all before it, and to all after it.
  const before = new Float64Array(count);
  const after = new Float64Array(count);
  let right = 0;
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const distance = Math.abs((values[one] ?? 0) - (values[other] ?? 0));
      before[other] = (before[other] ?? 0) + distance;
      after[one] = (after[one] ?? 0) + distance;
      right += distance;
    }
  }
  let left = 0;
  let cross = 0;
  let best = { index: 0, gain: 0 };
  for (let cut = 1; cut < count; cut++) {
    // The value cut - 1 goes from the right side to the left one.
    const [earlier, later] = [before[cut - 1] ?? 0, after[cut - 1] ?? 0];
    left += earlier;
    right -= later;
    cross += later - earlier;
    const gain = divergence({ left, right, cross }, cut, count - cut);
    if (gain > best.gain) best = { index: cut, gain };
  }
  return best;
}

interface Distances {
  /** Within each side, each pair once; and from one side to the other. */
  readonly left: number;
  readonly right: number;
  readonly cross: number;
}

function divergence({ left, right, cross }: Distances, m: number, n: number): number {
  const within = (m < 2 ? 0 : (2 * left) / (m * (m - 1))) + (n < 2 ? 0 : (2 * right) / (n * (n - 1)));
  return ((m * n) / (m + n)) * ((2 * cross) / (m * n) - within);
}
