import type { BarChart } from '../../core/chart.ts';
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
  whisker,
} from './echart-style.ts';
import type { FieldOptions } from './line-options.ts';

/** Groups of bars with error bars; a bar that is missing is marked. */
export function barOptions(chart: BarChart, style: ChartStyle, hidden: ReadonlySet<number>): FieldOptions {
  const shown = chart.series
    .map((series, index) => ({ series, index }))
    .filter(({ index }) => !hidden.has(index));
  // A bar is read by its length: it begins at zero, where zero has a place.
  const y = chart.y.scale === 'log' ? chart.y : { ...chart.y, startsAtZero: true };
  const lists = shown.flatMap(({ series: { values, low, high } }) => [values, low, high]);
  return {
    xAxis: axisOptions({ ...chart.x, scale: 'category' }, [], { style, side: 'x' }),
    yAxis: axisOptions(y, lists, { style, side: 'y' }),
    series: shown.flatMap(({ series, index }, place) =>
      barsOf(chart, { series, place, of: shown.length, colour: seriesStyle(index, style).colour }, style),
    ),
  };
}

interface Group {
  readonly series: BarChart['series'][number];
  readonly place: number;
  readonly of: number;
  readonly colour: string;
}

function barsOf(chart: BarChart, { series, place, of, colour }: Group, style: ChartStyle): readonly object[] {
  const { name, values, low, high } = series;
  const formatX = valueFormatter({ ...chart.x, scale: 'category' });
  const formatY = valueFormatter(chart.y);
  const data = values.map((value, at): Datum => {
    const [from, to] = [low?.[at], high?.[at]];
    const spread =
      from === undefined || to === undefined || from === to ? '' : ` (${formatY(from)} to ${formatY(to)})`;
    const text = Number.isNaN(value) ? 'no value' : `${formatY(value)}${spread}`;
    const where = `${chart.x.label} ${formatX(at)}`.trim();
    return {
      value: [at, hasPlaceOn(chart.y, value) ? value : Number.NaN],
      tip: [name, `${where}: ${text}`].filter((line) => line !== '').join('\n'),
    };
  });
  const bar = {
    ...{ type: 'bar', name, data, animation: false, barGap: '0%', barCategoryGap: '20%', z: 3 },
    itemStyle: { color: colour, borderColor: style.back, borderWidth: of * values.length > 200 ? 0 : 0.5 },
  };
  const gone = data.filter(({ value: [, value = Number.NaN] }) => Number.isNaN(value));
  const ground = chart.y.range?.low ?? 0;
  const crosses = drawnSeries(
    name,
    gone.map(({ value: [at = 0], tip = '' }) => ({ value: [at, ground], tip })),
    {
      isSilent: false,
      draw: (params, api) => {
        const { middle, width } = slot(api, Number(api.value(0)), { index: place, of });
        return cross(middle, groundOf(params) - 7, { colour: style.quiet, room: width });
      },
    },
  );
  return [
    bar,
    ...errorBars({ series, place, of, colour }, chart, style),
    ...(gone.length > 0 ? [crosses] : []),
  ];
}

function errorBars({ series, place, of }: Group, chart: BarChart, style: ChartStyle): readonly object[] {
  const { name, values, low = [], high = [] } = series;
  const isWide = (at: number) => {
    const [from = Number.NaN, to = Number.NaN] = [low[at], high[at]];
    return hasPlaceOn(chart.y, from) && hasPlaceOn(chart.y, to) && from !== to;
  };
  const places = [...values.keys()].filter(isWide);
  if (places.length === 0) return [];
  const data = places.map((at): Datum => ({ value: [at, high[at] ?? 0] }));
  const draw = drawnSeries(name, data, {
    z: 5,
    draw: ({ dataIndex }, api) => {
      const at = places[dataIndex] ?? 0;
      const { middle, width } = slot(api, at, { index: place, of });
      const ends = { low: heightOf(api, at, low[at] ?? 0), high: heightOf(api, at, high[at] ?? 0) };
      return whisker({ x: middle, cap: Math.min(5, width / 3), ...ends }, style.text);
    },
  });
  return [draw];
}
