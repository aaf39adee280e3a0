import { formatNumber } from '../../platform/core/text/numbers.ts';

const WIDTH = 120;
const HEIGHT = 24;
const MARGIN = 3;

export interface SparklineProps {
  /** One place each, oldest first: NaN or undefined is a gap. */
  readonly values: readonly (number | undefined)[];
  /** Places where it failed. */
  readonly failed?: readonly number[];
  readonly unit?: string;
  /** What a place is called: "night". */
  readonly place?: string;
  readonly width?: number;
  /** Place at which something begins: a thin line before it. */
  readonly mark?: number;
}

/** A line through the values, a gap where there is none, a cross where it failed, a dot on the newest. */
export function Sparkline({
  values,
  failed = [],
  unit = '',
  place = 'night',
  width = WIDTH,
  mark,
}: SparklineProps) {
  const present = values.filter(isValue);
  if (present.length === 0) {
    return (
      <span class="quiet">
        no values in {values.length} {place}s
      </span>
    );
  }
  const low = Math.min(...present);
  const high = Math.max(...present);
  const x = (index: number) =>
    round(MARGIN + (index / Math.max(1, values.length - 1)) * (width - 2 * MARGIN));
  const y = (value: number) =>
    round(
      high === low ? HEIGHT / 2 : HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN),
    );
  const newest = values.findLastIndex(isValue);
  const crosses = failed.length > 0 ? `, ${failed.length} failed` : '';
  const words = `${present.length} of ${values.length} ${place}s: lowest ${formatNumber(low, unit)}, highest ${formatNumber(high, unit)}${crosses}`;
  return (
    <svg
      class="spark"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {mark !== undefined && mark > 0 && (
        <path class="mark-line" d={`M${round((x(mark - 1) + x(mark)) / 2)} 0V${HEIGHT}`} />
      )}
      <path class="line" d={linePath(values, x, y)} />
      {failed.map((index) => (
        <path key={index} class="cross" d={`M${x(index) - 2} ${HEIGHT - 6}l4 4m0 -4l-4 4`} />
      ))}
      <circle class="newest" cx={x(newest)} cy={y(values[newest] ?? low)} r="2" />
    </svg>
  );
}

/** One path of all segments; a lone value is a segment of no length, which the round cap makes a dot. */
function linePath(
  values: readonly (number | undefined)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let path = '';
  let isDrawing = false;
  for (const [index, value] of values.entries()) {
    if (isValue(value)) path += `${isDrawing ? 'L' : 'M'}${x(index)} ${y(value)}${isDrawing ? '' : 'h0'}`;
    isDrawing = isValue(value);
  }
  return path;
}

function isValue(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
