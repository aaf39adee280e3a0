import { counted } from '../../../platform/core/text/numbers.ts';
import { median } from '../../../stats/summary.ts';
import type { TableChart } from '../../core/chart.ts';
import type { FieldChart } from './chart-options.ts';
import { valueFormatter } from './echart-style.ts';

/** Every value of a chart as a table: for those who do not see it, or want to copy from it. */
export function chartTable(chart: FieldChart): TableChart {
  const { columns, rows } = tableOf(chart);
  return {
    type: 'table',
    title: chart.title,
    columns: columns.map((name, place) => ({ name, ...(place > 0 && { align: 'right' as const }) })),
    rows: rows.map((row) => row.map((text) => ({ text }))),
  };
}

interface Texts {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function tableOf(chart: FieldChart): Texts {
  const [formatX, formatY] = [valueFormatter(chart.x), valueFormatter(chart.y)];
  switch (chart.type) {
    case 'lines': {
      const places = [...new Set(chart.series.flatMap(({ x }) => x))].sort((a, b) => a - b);
      const maps = chart.series.map(
        ({ x, y }) => new Map(x.map((place, at) => [place, y[at] ?? Number.NaN])),
      );
      const rows = places.map((place) => [
        formatX(place),
        ...maps.map((values) => formatY(values.get(place) ?? Number.NaN)),
      ]);
      return { columns: [chart.x.label, ...namesOf(chart)], rows };
    }
    case 'bars':
      return byCategory(chart, (series, place) => formatY(series[place] ?? Number.NaN));
    case 'box': {
      const rows = (chart.x.categories ?? []).map((category, place) => [
        category,
        ...chart.series.map(({ values }) => listed(values[place] ?? [], formatY)),
      ]);
      return { columns: [chart.x.label, ...namesOf(chart)], rows };
    }
    case 'scatter':
      return {
        columns: ['test', chart.x.label, chart.y.label],
        rows: chart.series.flatMap(({ name, x, y, labels }) =>
          x.map((across, at) => [labels?.[at] ?? name, formatX(across), formatY(y[at] ?? Number.NaN)]),
        ),
      };
    case 'heatmap': {
      const format = valueFormatter(chart.value);
      const rows = chart.values.map((row, at) => [chart.y.categories?.[at] ?? '', ...row.map(format)]);
      return { columns: [chart.y.label, ...(chart.x.categories ?? [])], rows };
    }
  }
}

/** Longer lists are not read. */
const MAX_LISTED = 12;

function listed(values: readonly number[], format: (value: number) => string): string {
  if (values.length === 0) return 'no value';
  if (values.length <= MAX_LISTED) return values.map(format).join(', ');
  return `median ${format(median(values))} of ${counted(values.length, 'value')}`;
}

function byCategory(
  chart: Extract<FieldChart, { readonly type: 'bars' }>,
  format: (values: readonly number[], place: number) => string,
): Texts {
  const rows = (chart.x.categories ?? []).map((category, place) => [
    category,
    ...chart.series.map(({ values }) => format(values, place)),
  ]);
  return { columns: [chart.x.label, ...namesOf(chart)], rows };
}

function namesOf({ series, y }: Exclude<FieldChart, { readonly type: 'heatmap' }>): readonly string[] {
  return series.map(({ name }) => (name === '' ? y.label : name));
}
