import type { LineChart, LineSeries, ScatterChart } from '../../core/chart.ts';
import { type AxisOptions, axisOptions } from './axis-options.ts';
import {
  type ChartStyle,
  cross,
  type Datum,
  drawnSeries,
  groundOf,
  hasPlaceOn,
  seriesStyle,
  valueFormatter,
} from './echart-style.ts';

export interface FieldOptions {
  readonly xAxis: AxisOptions;
  readonly yAxis: AxisOptions;
  readonly series: readonly object[];
  readonly visualMap?: object;
}

/** Points of a line that get a mark of their own, at most. */
const MAX_MARKERS = 400;
const MAX_MISSING = 200;

/** Lines with their bands; a gap is a gap, and marked on the ground. */
export function lineOptions(chart: LineChart, style: ChartStyle, hidden: ReadonlySet<number>): FieldOptions {
  const shown = chart.series
    .map((series, index) => ({ series, index }))
    .filter(({ index }) => !hidden.has(index));
  const xs = shown.map(({ series }) => series.x);
  const ys = shown.flatMap(({ series: { y, low, high } }) => [y, low, high]);
  return {
    xAxis: axisOptions(chart.x, xs, { style, side: 'x' }),
    yAxis: axisOptions(chart.y, ys, { style, side: 'y' }),
    series: [
      ...shown.flatMap(({ series, index }) => [
        ...bandOf(chart, series, seriesStyle(index, style).colour),
        lineOf(chart, { series, index }, style),
      ]),
      ...missing(
        chart,
        shown.map(({ series }) => series),
        style,
      ),
    ],
  };
}

function lineOf(
  chart: LineChart,
  { series, index }: { readonly series: LineSeries; readonly index: number },
  style: ChartStyle,
): object {
  const { colour, symbol, dash } = seriesStyle(index, style);
  const [formatX, formatY] = [valueFormatter(chart.x), valueFormatter(chart.y)];
  const data = series.x.map((x, at): Datum => {
    const y = series.y[at] ?? Number.NaN;
    const [low, high] = [series.low?.[at], series.high?.[at]];
    const spread =
      low === undefined || high === undefined || low === high ? '' : ` (${formatY(low)} to ${formatY(high)})`;
    const where = `${chart.x.label} ${formatX(x)}`;
    return {
      value: [x, hasPlaceOn(chart.y, y) ? y : Number.NaN],
      tip: [series.name, `${where}: ${formatY(y)}${spread}`].filter((line) => line !== '').join('\n'),
    };
  });
  return {
    ...{ type: 'line', name: series.name, data, symbol, animation: false, connectNulls: false, z: 4 },
    showSymbol: series.hasMarkers ?? data.length <= MAX_MARKERS,
    showAllSymbol: true,
    symbolSize: 7,
    lineStyle: { color: colour, width: 1.8, type: dash },
    itemStyle: { color: colour },
    emphasis: { scale: 1.4 },
  };
}

/** Segments of the band without gaps, each one piece. */
function bandOf(chart: LineChart, series: LineSeries, colour: string): readonly object[] {
  const { low, high, x, name } = series;
  if (low === undefined || high === undefined) return [];
  const segments: number[][] = [[]];
  for (const at of x.keys()) {
    const ends = [low[at] ?? Number.NaN, high[at] ?? Number.NaN];
    if (ends.every((end) => hasPlaceOn(chart.y, end))) segments.at(-1)?.push(at);
    else segments.push([]);
  }
  const wide = segments.filter((segment) => segment.some((at) => low[at] !== high[at]));
  if (wide.length === 0) return [];
  const data = wide.map((_, place): Datum => ({ value: [place, 0] }));
  const band = drawnSeries(name, data, {
    z: 2,
    draw: ({ dataIndex }, api) => {
      const places = wide[dataIndex] ?? [];
      const edge = (values: readonly number[]) =>
        places.map((at) => api.coord([x[at] ?? Number.NaN, values[at] ?? Number.NaN]));
      const points = [...edge(high), ...edge(low).reverse()];
      return { type: 'polygon', shape: { points }, style: { fill: colour, opacity: 0.18 } };
    },
  });
  // Its data are not places on the axes: they must not widen them.
  return [{ ...band, encode: { x: -1, y: -1 } }];
}

function missing(chart: LineChart, series: readonly LineSeries[], { quiet }: ChartStyle): readonly object[] {
  const places = new Set<number>();
  for (const { x, y } of series)
    for (const [at, place] of x.entries()) if (Number.isNaN(y[at] ?? Number.NaN)) places.add(place);
  if (places.size === 0 || places.size > MAX_MISSING) return [];
  const ground = series.flatMap(({ y }) => y).find((value) => hasPlaceOn(chart.y, value));
  if (ground === undefined) return [];
  const data = [...places].map(
    (x): Datum => ({ value: [x, ground], tip: `${valueFormatter(chart.x)(x)}: no value` }),
  );
  const draw = drawnSeries('', data, {
    isSilent: false,
    draw: (params, api) => {
      const [x = 0] = api.coord([Number(api.value(0)), Number(api.value(1))]);
      return cross(x, groundOf(params) - 7, { colour: quiet });
    },
  });
  return [draw];
}

export function scatterOptions(
  chart: ScatterChart,
  style: ChartStyle,
  hidden: ReadonlySet<number>,
): FieldOptions {
  const shown = chart.series
    .map((series, index) => ({ series, index }))
    .filter(({ index }) => !hidden.has(index));
  const total = shown.reduce((sum, { series }) => sum + series.x.length, 0);
  const [formatX, formatY] = [valueFormatter(chart.x), valueFormatter(chart.y)];
  return {
    xAxis: axisOptions(
      chart.x,
      shown.map(({ series }) => series.x),
      { style, side: 'x' },
    ),
    yAxis: axisOptions(
      chart.y,
      shown.map(({ series }) => series.y),
      { style, side: 'y' },
    ),
    series: shown.map(({ series: { name, x, y, labels }, index }) => {
      const { colour, symbol } = seriesStyle(index, style);
      const data = x.flatMap((across, at): readonly Datum[] => {
        const up = y[at] ?? Number.NaN;
        if (!hasPlaceOn(chart.x, across) || !hasPlaceOn(chart.y, up)) return [];
        const what = `${chart.y.label}: ${formatY(up)}\n${chart.x.label}: ${formatX(across)}`;
        return [{ value: [across, up], tip: `${labels?.[at] ?? name}\n${what}` }];
      });
      return {
        ...{ type: 'scatter', name, data, symbol, animation: false },
        symbolSize: total > 2000 ? 4 : 8,
        itemStyle: { color: colour, opacity: 0.75 },
      };
    }),
  };
}
