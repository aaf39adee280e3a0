import type { LineChart } from '../../../charts/core/chart.ts';
import { type ChangeRecord, seriesText } from '../../../home/core/changes/change.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';

export interface ChartedHistory {
  readonly times: ArrayLike<number>;
  /** NaN and null are gaps. */
  readonly values: ArrayLike<number | null>;
  /** Stretches of one level; absent: the two of the change. */
  readonly levels?: readonly { readonly start: number; readonly end: number; readonly value: number }[];
}

/** The values around a change, and their levels. */
export function changeChart(
  change: Pick<ChangeRecord, 'series' | 'unit' | 'at' | 'before' | 'after'>,
  { times, values, levels }: ChartedHistory,
): LineChart {
  const x = Array.from(times);
  const { at, before, after, unit } = change;
  const [first = at, last = at] = [x[0], x.at(-1)];
  const stretches = levels?.map(({ start, end, value }) => ({
    x: [x[start] ?? first, x[end] ?? x[end - 1] ?? last],
    y: [value, value],
  })) ?? [
    { x: [first, at], y: [before, before] },
    { x: [at, last], y: [after, after] },
  ];
  const gap = Number.NaN;
  return {
    type: 'lines',
    title: visible(seriesText(change.series)),
    x: { label: 'night', scale: 'time' },
    y: { label: 'value', unit },
    series: [
      { name: 'values', x, y: Array.from(values, (value) => value ?? gap), hasMarkers: x.length <= 200 },
      { name: 'levels', x: stretches.flatMap((one) => one.x), y: stretches.flatMap((one) => one.y) },
    ],
  };
}
