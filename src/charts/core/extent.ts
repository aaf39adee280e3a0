import { counted } from '../../platform/core/text/numbers.ts';
import type { Axis, Chart } from './chart.ts';

/** The smallest and largest finite value; undefined when there is none. */
export interface Extent {
  readonly low: number;
  readonly high: number;
}

export function extentOf(lists: Iterable<readonly number[] | undefined>, isLog = false): Extent | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of lists) {
    for (const value of values ?? []) {
      if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? { low, high } : undefined;
}

/** What holds both. */
export function unionOf(one: Extent | undefined, other: Extent | undefined): Extent | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}

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

/** What a logarithmic axis cannot show is counted, not lost in silence. */
export function logNotes({ scale }: Axis, lists: readonly (readonly number[])[]): readonly string[] {
  if (scale !== 'log') return [];
  const lost = lists.reduce((sum, values) => sum + values.filter((value) => value <= 0).length, 0);
  return lost === 0
    ? []
    : [`Not drawn, as a logarithmic axis has no place for 0 and below: ${counted(lost, 'value')}.`];
}
