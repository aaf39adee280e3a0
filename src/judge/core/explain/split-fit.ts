/** Places of finite values, by size: with it the middle of each group is found without sorting again. */
export function orderBySize(values: Float64Array): Int32Array {
  const places = Int32Array.from(values.keys()).filter((index) => Number.isFinite(values[index]));
  return places.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
}

export interface SplitInput {
  readonly values: Float64Array;
  /** From orderBySize. */
  readonly order: Int32Array;
  /** Group of each point; below 0: left out. */
  readonly labels: Int32Array;
  readonly groups: number;
}

/**
 * The part of the spread that goes away when each group has a middle of its own: 1 where values are the same within
 * each group, 0 where grouping helps no more than chance. Spread is the sum of distances from the median, which an
 * outlier cannot rule as it rules squares; it counts by degrees of freedom, as the adjusted coefficient of
 * determination does, or a group for each point would explain everything.
 */
export function explainedPart(input: SplitInput): number {
  const whole = spreadWithin({
    ...input,
    labels: input.labels.map((label) => Math.min(label, 0)),
    groups: 1,
  });
  const split = spreadWithin(input);
  const freedom = split.count - split.groups;
  if (whole.sum === 0 || freedom < 1) return 0;
  return 1 - split.sum / freedom / (whole.sum / (whole.count - 1));
}

interface Spread {
  /** Sum of the distances from the median of the own group. */
  readonly sum: number;
  readonly count: number;
  /** Groups that have a point. */
  readonly groups: number;
}

function spreadWithin({ values, order, labels, groups }: SplitInput): Spread {
  const starts = new Int32Array(groups + 1);
  for (const place of order) {
    const label = labels[place] ?? -1;
    if (label >= 0) starts[label + 1] = (starts[label + 1] ?? 0) + 1;
  }
  for (let label = 0; label < groups; label++)
    starts[label + 1] = (starts[label + 1] ?? 0) + (starts[label] ?? 0);
  const count = starts[groups] ?? 0;
  const sorted = new Float64Array(count);
  const next = starts.slice();
  for (const place of order) {
    const label = labels[place] ?? -1;
    if (label < 0) continue;
    sorted[next[label] ?? 0] = values[place] ?? 0;
    next[label] = (next[label] ?? 0) + 1;
  }
  let [sum, used] = [0, 0];
  for (let label = 0; label < groups; label++) {
    const group = sorted.subarray(starts[label], starts[label + 1]);
    if (group.length > 0) used++;
    sum += distanceFromMiddle(group);
  }
  return { sum, count, groups: used };
}

/** Sum of the distances from the median: outer values minus inner ones, pair by pair. */
export function distanceFromMiddle(sorted: Float64Array): number {
  let sum = 0;
  for (let low = 0, high = sorted.length - 1; low < high; low++, high--)
    sum += (sorted[high] ?? 0) - (sorted[low] ?? 0);
  return sum;
}
