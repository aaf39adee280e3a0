import type { Axis, Chart } from './chart.ts';
import { type Extent, extentOf, unionOf } from './extent.ts';

/** What the values of all these charts span. */
export function chartRange(charts: readonly Chart[]): Extent | undefined {
  return charts
    .map((chart) => extentOf(valueLists(chart), isLog(chart)))
    .reduce<Extent | undefined>(unionOf, undefined);
}

/** The charts with one range of values, so that they can be compared. */
export function withRange(charts: readonly Chart[], range: Extent | undefined): readonly Chart[] {
  if (range === undefined) return charts;
  const ranged = (axis: Axis): Axis => ({ ...axis, range });
  return charts.map((chart) => {
    if (chart.type === 'table' || chart.type === 'panels') return chart;
    return chart.type === 'heatmap'
      ? { ...chart, value: ranged(chart.value) }
      : { ...chart, y: ranged(chart.y) };
  });
}

function valueLists(chart: Chart): readonly (readonly number[] | undefined)[] {
  switch (chart.type) {
    case 'lines':
      return chart.series.flatMap(({ y, low, high }) => [y, low, high]);
    case 'bars':
      return chart.series.flatMap(({ values, low, high }) => [values, low, high]);
    case 'box':
      return chart.series.flatMap(({ values }) => values);
    case 'scatter':
      return chart.series.map(({ y }) => y);
    case 'heatmap':
      return chart.values;
    default:
      return [];
  }
}

function isLog(chart: Chart): boolean {
  if (chart.type === 'table' || chart.type === 'panels') return false;
  return (chart.type === 'heatmap' ? chart.value : chart.y).scale === 'log';
}
