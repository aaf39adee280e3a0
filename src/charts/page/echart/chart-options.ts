import type { Chart } from '../../core/chart.ts';
import { barOptions } from './bar-options.ts';
import { boxOptions } from './box-options.ts';
import type { ChartStyle } from './echart-style.ts';
import { heatOptions } from './heat-options.ts';
import { type FieldOptions, lineOptions, scatterOptions } from './line-options.ts';

/** Charts with two axes: the others are tables, or made of these. */
export type FieldChart = Exclude<Chart, { readonly type: 'table' } | { readonly type: 'panels' }>;

/** What ECharts must know to draw a chart. `hidden` are places of series that the reader switched off. */
export function chartOptions(
  chart: FieldChart,
  style: ChartStyle,
  hidden: ReadonlySet<number>,
): Record<string, unknown> {
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: 'system-ui, sans-serif', fontSize: 12 },
    grid: { left: 8, right: 20, top: 14, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    ...fieldOptions(chart, style, hidden),
  };
}

/** Names of the series in the legend. */
export function seriesNames(chart: FieldChart): readonly string[] {
  if (chart.type === 'heatmap') return [];
  const names = chart.series.map(({ name }) => name);
  return names.length === 1 && names[0] === '' ? [] : names;
}

function fieldOptions(chart: FieldChart, style: ChartStyle, hidden: ReadonlySet<number>): FieldOptions {
  switch (chart.type) {
    case 'lines':
      return lineOptions(chart, style, hidden);
    case 'bars':
      return barOptions(chart, style, hidden);
    case 'box':
      return boxOptions(chart, style, hidden);
    case 'scatter':
      return scatterOptions(chart, style, hidden);
    case 'heatmap':
      return heatOptions(chart, style);
  }
}
