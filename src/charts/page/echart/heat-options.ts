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
export function heatOptions(chart: HeatMap, look: ChartStyle): FieldOptions {
  const isLog = chart.value.scale === 'log';
  const extent = unionOf(extentOf(chart.values, isLog), chart.value.range) ?? { low: 0, high: 1 };
  const shade = (value: number) => (isLog ? Math.log10(value) : value);
  const [sayX, sayY] = [
    valueFormatter({ ...chart.x, scale: 'category' }),
    valueFormatter({ ...chart.y, scale: 'category' }),
  ];
  const cells = chart.values.flatMap((row, y) => row.map((value, x) => ({ x, y, value })));
  const told = (x: number, y: number, text: string) => `${sayX(x)}, ${sayY(y)}: ${text}`;
  const [there, gone] = [true, false].map((isThere) =>
    cells.filter(({ value }) => hasPlaceOn(chart.value, value) === isThere),
  ) as [typeof cells, typeof cells];
  const data = there.map(
    ({ x, y, value }): Datum => ({
      value: [x, y, shade(value), value],
      tip: told(x, y, formatNumber(value, chart.value.unit)),
    }),
  );
  const crosses = drawnSeries(
    '',
    gone.map(({ x, y }): Datum => ({ value: [x, y], tip: told(x, y, 'no value') })),
    {
      isSilent: false,
      draw: (_params, api) => {
        const [x = 0, y = 0] = api.coord([Number(api.value(0)), Number(api.value(1))]);
        return cross(x, y, { colour: look.quiet });
      },
    },
  );
  return {
    xAxis: axisOptions({ ...chart.x, scale: 'category' }, [], { look, side: 'x' }),
    yAxis: axisOptions({ ...chart.y, scale: 'category' }, [], { look, side: 'y' }),
    visualMap: {
      ...{ show: false, seriesIndex: 0, dimension: 2, min: shade(extent.low), max: shade(extent.high) },
      inRange: { color: [...SHADES] },
    },
    series: [
      {
        ...{ type: 'heatmap', data, animation: false },
        itemStyle: { borderColor: look.back, borderWidth: cells.length > 2000 ? 0 : 1 },
        label: {
          show: data.length <= MAX_LABELS && look.width > 90 * (chart.x.categories?.length ?? 1),
          formatter: ({ value }: { readonly value: readonly number[] }) =>
            formatNumber(value[3] ?? Number.NaN, chart.value.unit),
        },
      },
      ...(gone.length > 0 ? [crosses] : []),
    ],
  };
}
