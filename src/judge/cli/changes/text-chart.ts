import { median } from '../../../stats/summary.ts';

const BLOCKS = '▁▂▃▄▅▆▇█';

/** A series as two lines of a terminal: the course of its values, and marks below where new levels begin. */
export function textChart(
  values: Float64Array,
  starts: readonly number[],
  width: number,
): readonly [course: string, marks: string] {
  const columns = Math.max(1, Math.min(width, values.length));
  const middles = Array.from({ length: columns }, (_, column) => {
    const part = values
      .subarray(edge(column, columns, values.length), edge(column + 1, columns, values.length))
      .filter(Number.isFinite);
    return part.length === 0 ? Number.NaN : median(part);
  });
  const usable = middles.filter(Number.isFinite);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of usable) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const course = middles.map((value) => block(value, low, high)).join('');
  const marks = new Array<string>(columns).fill(' ');
  for (const start of starts)
    marks[Math.min(columns - 1, Math.floor((start * columns) / values.length))] = '^';
  return [course, marks.join('').trimEnd()];
}

function edge(column: number, columns: number, length: number): number {
  return Math.floor((column * length) / columns);
}

function block(value: number, low: number, high: number): string {
  if (Number.isNaN(value)) return ' ';
  const height = high > low ? (value - low) / (high - low) : 0.5;
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor(height * BLOCKS.length))] ?? ' ';
}
