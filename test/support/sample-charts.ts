import type { Chart } from '../../src/charts/core/chart.ts';
import { chartSvg, type SvgOptions } from '../../src/charts/core/chart-svg.ts';
import type { ChartFile } from '../../src/charts/core/file/chart-file.ts';
import { drawChartFile } from '../../src/charts/core/file/draw-chart-file.ts';

const list = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));
/** As good as random, and the same each time. */
const wave = (index: number) => (Math.sin(index * 12.9898) * 43758.5453) % 1;
const axis = { label: 'latency', unit: 's' };

const lines = (series: number, points: number, more: object = {}): Chart => ({
  type: 'lines',
  title: `${series} lines of ${points} points`,
  x: { label: 'users' },
  y: axis,
  series: list(series, (n) => ({
    name: `model m${n}`,
    x: list(points, (point) => point),
    y: list(points, (point) => 1 + n / 3 + wave(point + n * 100) / 4),
    ...more,
  })),
});
const bars: Chart = {
  type: 'bars',
  title: 'Groups of bars',
  subtitle: 'with whiskers, one is missing',
  x: { label: 'model', categories: ['a', 'b', 'c', 'd'] },
  y: axis,
  series: list(3, (n) => ({
    name: `batch ${n}`,
    values: [1 + n, n === 1 ? Number.NaN : 2.5, -0.7 * n, 3.1],
    low: [0.8 + n, 2, -0.8 * n, 3],
    high: [1.3 + n, 2.8, -0.6 * n, 3.3],
  })),
  valueFigures: 3,
};
const box: Chart = {
  type: 'box',
  title: 'Boxes',
  x: { label: 'model', categories: ['few', 'many', 'none'] },
  y: axis,
  series: list(2, (n) => ({
    name: `side ${n}`,
    values: [[1, 1.5, 2], [...list(40, (index) => 2 + n + wave(index)), 5.5], []],
  })),
};
const heatMap: Chart = {
  type: 'heatmap',
  title: 'Heat',
  x: { label: 'threads', categories: list(9, (n) => `${2 ** n}`) },
  y: { label: 'size', categories: list(6, (n) => `${n} MB`) },
  value: axis,
  values: list(6, (row) =>
    list(9, (column) => (row === 2 && column === 3 ? Number.NaN : row * column + 0.3)),
  ),
};
const scatter: Chart = {
  type: 'scatter',
  title: 'Points',
  x: { label: 'bytes', unit: 'B' },
  y: axis,
  series: list(4, (n) => ({
    name: `kind ${n}`,
    x: list(80, (index) => 1000 * (1 + wave(index + n * 31))),
    y: list(80, (index) => 1 + wave(index * 7 + n)),
  })),
};
const table: Chart = {
  type: 'table',
  title: 'A table',
  columns: [{ name: 'name' }, { name: 'time', align: 'right' }, { name: 'change', align: 'right' }],
  rows: list(12, (n) => [
    { text: `experiment ${n}` },
    { text: `${n}.25 ms` },
    { text: `${n - 6} %`, tone: n - 6 },
  ]),
  notes: ['Less is better.'],
};
const longNames: Chart = {
  ...bars,
  title: `A title that is longer than the picture is wide ${'and goes on '.repeat(20)}`,
  x: { label: 'model', categories: list(4, (n) => `a name of one that nobody can write level: number ${n}`) },
};
const file = (more: object) =>
  ({
    chart: 'bar',
    title: 'Passes',
    yTitle: 'ms',
    bars: list(6, (n) => ({ label: `O${n}`, value: 12.5 * n })),
    ...more,
  }) as ChartFile;
const light = (chart: Chart, options: SvgOptions = {}) => chartSvg(chart, { theme: 'light', ...options });

/** A drawing of every kind of chart that there is, and of what makes them differ. */
export const SAMPLE_DRAWINGS: Readonly<Record<string, string>> = {
  bars: light(bars),
  'bars of a file': drawChartFile(file({ valueLabels: true, colors: ['#aa3355', 'C3'] })),
  'a file with large text': drawChartFile(file({ fontScale: 1.7, width: 701, height: 433 })),
  'lines of a file': drawChartFile({
    chart: 'line',
    title: 'over Time',
    xTitle: 'Date of Run',
    series: [{ x: list(60, (n) => new Date(Date.UTC(2026, 0, n + 1)).toISOString()), y: list(60, wave) }],
  }),
  lines: light(lines(3, 20)),
  'many lines, with dashes': light(lines(20, 30)),
  'dense lines': light(lines(1, 3000, { y: list(3000, (n) => 2 + Math.sin(n / 200) + wave(n) / 50) })),
  noise: light(lines(1, 3000)),
  'lines without marks': light(lines(2, 200, { hasMarkers: false })),
  'lines with gaps': light(lines(1, 12, { y: [1, 2, Number.NaN, 3, Number.NaN, 2, 2, 1, 4, 5, 1, 2] })),
  'lines with a band': light(
    lines(1, 30, {
      y: list(30, () => 2),
      low: list(30, (n) => 1 + wave(n) / 3),
      high: list(30, (n) => 3 + wave(n)),
    }),
  ),
  'lines on a logarithmic axis, with a note': light({
    ...lines(1, 10, { y: list(10, (n) => 10 ** (n - 3) - 0.001) }),
    y: { ...axis, scale: 'log' },
  } as Chart),
  'lines over time': light({
    ...lines(1, 40, { x: list(40, (n) => Date.UTC(2026, 0, 1 + n)) }),
    x: { label: 'night', scale: 'time' },
  } as Chart),
  boxes: light(box),
  'heat map': light(heatMap),
  points: light(scatter),
  table: light(table),
  panels: light({ type: 'panels', title: 'Side by side', charts: [bars, scatter, box] }),
  nothing: light({ ...lines(0, 0), series: [] } as Chart),
  'long names': light(longNames),
  'letters beyond ASCII': light({ ...table, title: 'Größe in µs: ≤ 5 × 10³ “naïve” … Ångström ελ' }),
  'dark lines': chartSvg(lines(3, 20), { theme: 'dark' }),
  'dark bars': chartSvg(bars, { theme: 'dark' }),
  'another size': light(bars, { width: 333.3, height: 240.7 }),
};
