import { formatNumber } from '../../../platform/core/text/numbers.ts';
import type { HeatMap } from '../../core/chart.ts';
import { SHADES } from '../../core/draw-heat-map.ts';
import { extentOf, unionOf } from '../../core/extent.ts';
import { axisOptions } from './axis-options.ts';
import {
  type ChartStyle,
  cross,
  type Datum,
  drawnSeries,
  hasPlaceOn,
  valueFormatter,
} from './echart-style.ts';
import type { FieldOptions } from './line-options.ts';

/** More numbers in the cells than this are no longer read. */
const MAX_LABELS = 300;

/** Shades with their values in the cells; a cell without a value has a cross. */
export function heatOptions(chart: HeatMap, style: ChartStyle): FieldOptions {
  const isLog = chart.value.scale === 'log';
  const extent = unionOf(extentOf(chart.values, isLog), chart.value.range) ?? { low: 0, high: 1 };
  const shade = (value: number) => (isLog ? Math.log10(value) : value);
  const [formatX, formatY] = [
    valueFormatter({ ...chart.x, scale: 'category' }),
    valueFormatter({ ...chart.y, scale: 'category' }),
  ];
  const cells = chart.values.flatMap((row, y) => row.map((value, x) => ({ x, y, value })));
  const tipOf = (x: number, y: number, text: string) => `${formatX(x)}, ${formatY(y)}: ${text}`;
  const [there, gone] = [true, false].map((isThere) =>
    cells.filter(({ value }) => hasPlaceOn(chart.value, value) === isThere),
  ) as [typeof cells, typeof cells];
  const data = there.map(
    ({ x, y, value }): Datum => ({
      value: [x, y, shade(value), value],
      tip: tipOf(x, y, formatNumber(value, chart.value.unit)),
    }),
  );
  const crosses = drawnSeries(
    '',
    gone.map(({ x, y }): Datum => ({ value: [x, y], tip: tipOf(x, y, 'no value') })),
    {
      isSilent: false,
      draw: (_params, api) => {
        const [x = 0, y = 0] = api.coord([Number(api.value(0)), Number(api.value(1))]);
        return cross(x, y, { colour: style.quiet });
      },
    },
  );
  return {
    xAxis: axisOptions({ ...chart.x, scale: 'category' }, [], { style, side: 'x' }),
    yAxis: axisOptions({ ...chart.y, scale: 'category' }, [], { style, side: 'y' }),
    visualMap: {
      ...{ show: false, seriesIndex: 0, dimension: 2, min: shade(extent.low), max: shade(extent.high) },
      inRange: { color: [...SHADES] },
    },
    series: [
      {
        ...{ type: 'heatmap', data, animation: false },
        itemStyle: { borderColor: style.back, borderWidth: cells.length > 2000 ? 0 : 1 },
        label: {
          show: data.length <= MAX_LABELS && style.width > 90 * (chart.x.categories?.length ?? 1),
          formatter: ({ value }: { readonly value: readonly number[] }) =>
            formatNumber(value[3] ?? Number.NaN, chart.value.unit),
        },
      },
      ...(gone.length > 0 ? [crosses] : []),
    ],
  };
}
