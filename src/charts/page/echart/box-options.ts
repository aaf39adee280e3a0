import { counted } from '../../../platform/core/text/numbers.ts';
import { quantileOfSorted } from '../../../stats/summary.ts';
import type { BoxChart } from '../../core/chart.ts';
import { axisOptions } from './axis-options.ts';
import {
  type ChartStyle,
  cross,
  type Datum,
  drawnSeries,
  groundOf,
  hasPlaceOn,
  heightOf,
  seriesStyle,
  slot,
  valueFormatter,
} from './echart-style.ts';
import type { FieldOptions } from './line-options.ts';

/** Below this many values the values themselves say more than quartiles. */
const FEW = 5;
const MAX_OUTSIDE = 100;

/** What is drawn of the values of one place. */
export interface Box {
  /** Quartiles and the ends of the whiskers; absent where there are too few values. */
  readonly box?: { readonly low: number; readonly high: number; readonly from: number; readonly to: number };
  readonly median: number;
  readonly dots: readonly number[];
  readonly count: number;
}

export function boxOf(values: readonly number[]): Box | undefined {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return undefined;
  const [low, median, high] = [0.25, 0.5, 0.75].map((p) => quantileOfSorted(sorted, p)) as [
    number,
    number,
    number,
  ];
  const count = sorted.length;
  if (count < FEW) return { median, dots: [...sorted], count };
  const fence = 1.5 * (high - low);
  const isInside = (value: number) => value >= low - fence && value <= high + fence;
  const inside = sorted.filter(isInside);
  const outside = [...sorted].filter((value) => !isInside(value));
  const dots = outside.length > MAX_OUTSIDE ? [outside[0] ?? 0, outside.at(-1) ?? 0] : outside;
  return { box: { low, high, from: inside[0] ?? low, to: inside.at(-1) ?? high }, median, dots, count };
}

export function boxOptions(chart: BoxChart, style: ChartStyle, hidden: ReadonlySet<number>): FieldOptions {
  const shown = chart.series
    .map((series, index) => ({ series, index }))
    .filter(({ index }) => !hidden.has(index));
  const lists = shown.flatMap(({ series }) => series.values);
  return {
    xAxis: axisOptions({ ...chart.x, scale: 'category' }, [], { style, side: 'x' }),
    yAxis: axisOptions(chart.y, lists, { style, side: 'y' }),
    series: shown.map(({ series, index }, place) =>
      boxesOf(chart, { series, place, of: shown.length, colour: seriesStyle(index, style).colour }, style),
    ),
  };
}

interface Group {
  readonly series: BoxChart['series'][number];
  readonly place: number;
  readonly of: number;
  readonly colour: string;
}

function boxesOf(chart: BoxChart, { series, place, of, colour }: Group, style: ChartStyle): object {
  const boxes = series.values.map((values) => boxOf(values.filter((value) => hasPlaceOn(chart.y, value))));
  const [formatX, format] = [valueFormatter({ ...chart.x, scale: 'category' }), valueFormatter(chart.y)];
  const data = boxes.map((found, at): Datum => {
    const where = `${chart.x.label} ${formatX(at)}`.trim();
    const quartiles = found?.box ? `, quartiles ${format(found.box.low)} to ${format(found.box.high)}` : '';
    const text = found
      ? `median ${format(found.median)}${quartiles}, ${counted(found.count, 'value')}`
      : 'no values';
    return {
      value: [at, found?.median ?? 0],
      tip: [series.name, `${where}: ${text}`].filter((line) => line !== '').join('\n'),
    };
  });
  return drawnSeries(series.name, data, {
    isSilent: false,
    draw: (params, api) => {
      const at = params.dataIndex;
      const { middle, width } = slot(api, at, { index: place, of });
      const found = boxes[at];
      if (found === undefined)
        return cross(middle, groundOf(params) - 7, { colour: style.quiet, room: width });
      const y = (value: number) => heightOf(api, at, value);
      return {
        type: 'group',
        children: shapes(found, { middle, width: Math.min(60, width * 0.8), y, colour, style }),
      };
    },
  });
}

interface Place {
  readonly middle: number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly colour: string;
  readonly style: ChartStyle;
}

function shapes({ box, median, dots }: Box, { middle, width, y, colour, style }: Place): readonly object[] {
  const line = (x1: number, y1: number, x2: number, y2: number) => ({
    type: 'line',
    shape: { x1, y1, x2, y2 },
  });
  const left = middle - width / 2;
  const parts: object[] = dots.map((value) => ({
    type: 'circle',
    shape: { cx: middle, cy: y(value), r: 2.6 },
    style: { fill: colour },
  }));
  if (box) {
    const [top, bottom] = [y(box.high), y(box.low)];
    const style = { stroke: colour, lineWidth: 1.4 };
    parts.push(
      { ...line(middle, y(box.to), middle, top), style },
      { ...line(middle, bottom, middle, y(box.from)), style },
      {
        type: 'rect',
        shape: { x: left, y: top, width, height: Math.max(0.5, bottom - top) },
        style: { fill: colour, fillOpacity: 0.3, stroke: colour },
      },
    );
  }
  parts.push({
    ...line(left, y(median), left + width, y(median)),
    style: { stroke: style.text, lineWidth: 2 },
  });
  return parts;
}
