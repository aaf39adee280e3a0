import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BarChart, HeatMap, LineChart } from '../../core/chart.ts';
import { boxOf } from './box-options.ts';
import { chartOptions } from './chart-options.ts';
import { chartTable } from './chart-table.ts';
import type { ChartStyle } from './echart-style.ts';

const style: ChartStyle = {
  ...{ text: '#000', quiet: '#555', rule: '#ddd', back: '#fff', other: '#999', width: 800 },
  hues: ['#1', '#2', '#3', '#4', '#5', '#6', '#7', '#8'],
};
const NONE: ReadonlySet<number> = new Set();

interface Options {
  readonly series: readonly {
    readonly type: string;
    readonly name?: string;
    readonly itemStyle?: { readonly color?: string };
    readonly data: readonly { readonly value: readonly number[]; readonly tip?: string }[];
  }[];
  readonly yAxis: {
    readonly name: string;
    readonly min: number;
    readonly max: number;
    readonly axisLabel: { readonly formatter: (value: number) => string };
  };
}

const lines: LineChart = {
  type: 'lines',
  title: 'latency',
  x: { label: 'users' },
  y: { label: 'latency', unit: 's', startsAtZero: true },
  series: [
    {
      name: 'a',
      x: [1, 2, 4],
      y: [0.01, Number.NaN, 0.03],
      low: [0.005, Number.NaN, 0.03],
      high: [0.02, Number.NaN, 0.03],
    },
    { name: 'b', x: [1, 2, 4], y: [0.02, 0.02, 0.02] },
  ],
};

test('lines have their band, gaps are marked, and the axis has one multiple of the unit', () => {
  const options = chartOptions(lines, style, NONE) as unknown as Options;
  assert.deepEqual(
    options.series.map(({ type, name }) => `${type} ${name}`),
    ['custom a', 'line a', 'line b', 'custom '],
  );
  const [, a, , crosses] = options.series;
  assert.deepEqual(a?.data[1]?.value, [2, Number.NaN]);
  assert.equal(a?.data[0]?.tip?.replaceAll('\u202f', ' '), 'a\nusers 1: 10.0 ms (5.00 ms to 20.0 ms)');
  assert.deepEqual(
    crosses?.data.map(({ value }) => value[0]),
    [2],
  );
  assert.equal(options.yAxis.name, 'latency [ms]');
  assert.equal(options.yAxis.min, 0);
  assert.equal(options.yAxis.max, 0.03);
  assert.equal(options.yAxis.axisLabel.formatter(0.02), '20');
});

test('a series that is switched off is not drawn, and the others keep their colours', () => {
  const { series } = chartOptions(lines, style, new Set([0])) as unknown as Options;
  assert.deepEqual(
    series.map(({ name, itemStyle }) => `${name} ${itemStyle?.color}`),
    ['b #2'],
  );
});

test('a logarithmic axis has no place for zero: no bar is drawn there', () => {
  const bars: BarChart = {
    type: 'bars',
    title: '',
    x: { label: 'k', categories: ['x', 'x'] },
    y: { label: 'v', scale: 'log' },
    series: [{ name: '', values: [0, 100] }],
  };
  const { series, yAxis } = chartOptions(bars, style, NONE) as unknown as Options;
  assert.deepEqual(series[0]?.data[0]?.value, [0, Number.NaN]);
  assert.equal(series[1]?.type, 'custom');
  assert.ok(yAxis.min > 0 && yAxis.max >= 100);
});

test('a heat map shades by the logarithm when asked to, and marks what is missing', () => {
  const heat: HeatMap = {
    type: 'heatmap',
    title: '',
    x: { label: 'x', categories: ['p', 'q'] },
    y: { label: 'y', categories: ['r'] },
    value: { label: 'v', unit: 's', scale: 'log' },
    values: [[0.1, Number.NaN]],
  };
  const { series } = chartOptions(heat, style, NONE) as unknown as Options;
  assert.deepEqual(series[0]?.data[0]?.value, [0, 0, -1, 0.1]);
  assert.equal(series[1]?.data[0]?.tip, 'q, r: no value');
  assert.deepEqual(
    chartTable(heat).rows.map((row) => row.map(({ text }) => text.replaceAll('\u202f', ' '))),
    [['r', '100 ms', 'no value']],
  );
});

test('few values are shown themselves, more as quartiles with what lies outside', () => {
  assert.deepEqual(boxOf([]), undefined);
  assert.deepEqual(boxOf([3, 1, 2]), { median: 2, dots: [1, 2, 3], count: 3 });
  const box = boxOf([1, 2, 3, 4, 5, 100]);
  assert.deepEqual(box?.dots, [100]);
  assert.equal(box?.box?.to, 5);
});

test('the table of a chart has every value', () => {
  const { columns, rows } = chartTable(lines);
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['users', 'a', 'b'],
  );
  assert.deepEqual(
    rows[1]?.map(({ text }) => text.replaceAll('\u202f', ' ')),
    ['2', 'no value', '20.0 ms'],
  );
});
