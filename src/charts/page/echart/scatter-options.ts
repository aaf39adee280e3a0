import type { ScatterChart } from '../../core/chart.ts';
import { axisOptions } from './axis-options.ts';
import type { FieldOptions } from './line-options.ts';
import { type ChartLook, seriesLook } from './look.ts';
import type { Datum } from './marks.ts';
import { isPlaced, sayer } from './say.ts';

export function scatterOptions(
  chart: ScatterChart,
  look: ChartLook,
  hidden: ReadonlySet<number>,
): FieldOptions {
  const shown = chart.series
    .map((series, index) => ({ series, index }))
    .filter(({ index }) => !hidden.has(index));
  const total = shown.reduce((sum, { series }) => sum + series.x.length, 0);
  const [sayX, sayY] = [sayer(chart.x), sayer(chart.y)];
  return {
    xAxis: axisOptions(
      chart.x,
      shown.map(({ series }) => series.x),
      { look, side: 'x' },
    ),
    yAxis: axisOptions(
      chart.y,
      shown.map(({ series }) => series.y),
      { look, side: 'y' },
    ),
    series: shown.map(({ series: { name, x, y, labels }, index }) => {
      const { colour, symbol } = seriesLook(index, look);
      const data = x.flatMap((across, at): readonly Datum[] => {
        const up = y[at] ?? Number.NaN;
        if (!isPlaced(chart.x, across) || !isPlaced(chart.y, up)) return [];
        const what = `${chart.y.label}: ${sayY(up)}\n${chart.x.label}: ${sayX(across)}`;
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
