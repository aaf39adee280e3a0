import type { Iterations } from '../../formats/core/iterations.ts';
import type { Side } from '../../git/core/version-pairs.ts';

/** Columns one after the other. */
export function joinColumns(columns: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(columns.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const column of columns) {
    joined.set(column, at);
    at += column.length;
  }
  return joined;
}

export interface Spread {
  readonly count: number;
  readonly mean: number;
  /** Sample deviation (divisor n - 1) / mean; absent with fewer than two. */
  readonly variation?: number;
}

/** Mean and variation over several columns, in two passes and without a copy; undefined when all are empty. */
export function spreadOf(columns: readonly Float64Array[]): Spread | undefined {
  let count = 0;
  let total = 0;
  for (const column of columns) {
    count += column.length;
    for (const value of column) total += value;
  }
  if (count === 0) return undefined;
  const mean = total / count;
  if (count === 1) return { count, mean };
  let squares = 0;
  for (const column of columns) for (const value of column) squares += (value - mean) ** 2;
  return { count, mean, variation: Math.sqrt(squares / (count - 1)) / mean };
}

/** The times of one side of all runs that have it. */
export function timesOf(
  runs: readonly Readonly<Partial<Record<Side, Iterations>>>[],
  side: Side,
): readonly Float64Array[] {
  return runs.flatMap((run) => (run[side] ? [run[side].times] : []));
}

/** The values that are there. */
export function present(values: readonly (number | undefined)[]): Float64Array {
  return Float64Array.from(values.filter((value) => value !== undefined));
}
