import type { FactValue } from './explanation.ts';

/** Points of a series grouped by the value of a fact. */
export interface Partition {
  /** Number of the group of each point, by first appearance; -1 where the fact is not known. */
  readonly labels: Int32Array;
  readonly groups: readonly FactValue[];
  /** Where the value is another than the last known one. */
  readonly turns: readonly Turn[];
  /** Known points. */
  readonly count: number;
}

export interface Turn {
  /** First point with the new value, and the last point that had the old one. */
  readonly at: number;
  readonly last: number;
}

export function partitionBy(values: readonly (FactValue | undefined)[]): Partition {
  const labels = new Int32Array(values.length).fill(-1);
  const numbers = new Map<FactValue, number>();
  const turns: Turn[] = [];
  let [last, count] = [-1, 0];
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    const label = numbers.get(value) ?? numbers.size;
    numbers.set(value, label);
    labels[at] = label;
    if (last >= 0 && labels[last] !== label) turns.push({ at, last });
    last = at;
    count++;
  }
  return { labels, groups: [...numbers.keys()], turns, count };
}

/** How far a turn is from a place, in points; 0 where it may have happened right there. Negative: before it. */
export function offsetFrom(index: number, { at, last }: Turn): number {
  if (at < index) return at - index;
  return last >= index ? last + 1 - index : 0;
}
