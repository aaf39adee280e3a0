import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BarChart, Chart, LineChart } from './chart.ts';
import { chartSvg } from './chart-svg.ts';

const LINES: LineChart = {
  type: 'lines',
  title: 'Latency',
  x: { label: 'users' },
  y: { label: 'latency', unit: 's' },
  series: [{ name: 'm1', x: [1, 2, 3, 4], y: [1, 2, Number.NaN, 4] }],
};
const BARS: BarChart = {
  type: 'bars',
  title: 'Change',
  x: { label: 'model', categories: ['m1', 'm2', 'm3'] },
  y: { label: 'change', unit: '%' },
  series: [
    { name: '4 users', values: [5, -5, Number.NaN], low: [4, -6, Number.NaN], high: [6, -4, Number.NaN] },
  ],
};
const EMPTY: readonly Chart[] = [
  { ...LINES, series: [] },
  { ...LINES, series: [{ name: 'a', x: [], y: [] }] },
  { ...BARS, x: { label: 'x' }, series: [] },
  { type: 'box', title: '', x: { label: '' }, y: { label: '' }, series: [] },
  { type: 'scatter', title: '', x: { label: '' }, y: { label: '' }, series: [] },
  { type: 'heatmap', title: '', x: { label: '' }, y: { label: '' }, value: { label: '' }, values: [] },
  { type: 'table', title: '', columns: [], rows: [] },
  { type: 'panels', title: '', charts: [] },
];

test('a gap breaks the line, and the missing value is marked', () => {
  const svg = chartSvg(LINES);
  const [line = ''] = /<path d="M[^"]*" fill="none" stroke="var\(--nm-s0\)"/.exec(svg) ?? [];
  assert.equal(line.match(/M/g)?.length, 2);
  assert.match(svg, /<title>no value here<\/title>/);
});

test('bars of negative values hang from zero, error bars are drawn and missing bars are marked', () => {
  const svg = chartSvg(BARS);
  const bars = [
    ...svg.matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)" fill="/g),
  ].map(([, y, height]) => [Number(y), Number(height)] as const);
  const [[up, upHeight] = [0, 0], [down] = [0, 0]] = bars;
  assert.equal(bars.length, 2);
  assert.ok(Math.abs(up + upHeight - down) < 0.2);
  assert.match(svg, /m1: 5\u202f% \(4\u202f% to 6\u202f%\)/);
  assert.match(svg, /m3: no value/);
});

for (const [index, chart] of EMPTY.entries()) {
  test(`a chart without anything in it says so (${index}: ${chart.type})`, () => {
    const svg = chartSvg(chart);
    assert.match(svg, /no data/);
    assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
  });
}

test('names from results stay text', () => {
  const hostile = '</text><script>alert(1)</script>"\'&\u202e\u0007\ud800\uffff';
  const charts: readonly Chart[] = [
    { ...LINES, title: hostile, series: [{ name: hostile, x: [1], y: [1] }], notes: [hostile] },
    { ...BARS, x: { label: hostile, unit: hostile, categories: [hostile] } },
    {
      type: 'table',
      title: hostile,
      columns: [{ name: hostile }],
      rows: [[{ text: hostile, link: hostile }]],
    },
  ];
  for (const chart of charts) {
    const svg = chartSvg(chart);
    assert.doesNotMatch(svg.replaceAll('\n', ''), /<script|\u202e|[\p{Cc}\uffff]|\p{Cs}/u);
    assert.match(svg, /script/);
  }
});

test('fifty series fold their legend, and every name is still told', () => {
  const series = Array.from({ length: 50 }, (_, index) => ({
    name: `a series of number ${index}`,
    x: [1, 2],
    y: [index, 1],
  }));
  const svg = chartSvg({ ...LINES, series });
  assert.match(svg, /… and \d+ more/);
  for (const { name } of series) assert.ok(svg.includes(name));
});

test('a long name is shortened and reported in full', () => {
  const name = `registry.example/${'deep/'.repeat(30)}model:v1`;
  const svg = chartSvg({ ...LINES, series: [{ name, x: [1], y: [1] }] });
  assert.match(svg, /registry[^<]*…[^<]*model:v1<title>registry/);
});

test('the light theme has fixed colours, the automatic one follows the reader', () => {
  assert.doesNotMatch(chartSvg(LINES, { theme: 'light' }), /var\(|<style/);
  assert.match(chartSvg(LINES), /prefers-color-scheme:dark/);
});

test('ten thousand points give a small drawing, and the same bytes each time', () => {
  const x = Array.from({ length: 10_000 }, (_, index) => index);
  const chart = { ...LINES, series: [{ name: 'a', x, y: x.map((value) => Math.sin(value)) }] };
  const svg = chartSvg(chart);
  assert.ok(svg.length < 100_000, String(svg.length));
  assert.equal(chartSvg(chart), svg);
});

test('what a logarithmic axis cannot show is counted', () => {
  const svg = chartSvg({
    ...LINES,
    y: { label: 'y', scale: 'log' },
    series: [{ name: 'a', x: [1, 2, 3], y: [0, -1, 5] }],
  });
  assert.match(svg, /no place for 0 and below: 2 values/);
});

test('values at the limits of numbers, and values that have no place, never become broken marks', () => {
  const odd = [0, -1, 1e308, -1e308, 5e-324, Number.NaN, Number.POSITIVE_INFINITY, 8.65e15, 1e-9, 3];
  for (const scale of ['linear', 'log', 'time', 'category'] as const) {
    const y = { label: 'y', scale };
    const x = { label: 'x', categories: odd.map(String) };
    const charts: readonly Chart[] = [
      { ...LINES, y, series: [{ name: 'a', x: odd, y: odd, low: odd, high: odd }] },
      { ...BARS, x, y, series: [{ name: 'a', values: odd, low: odd, high: odd }] },
      { type: 'box', title: '', x, y, series: [{ name: 'a', values: odd.map(() => odd) }] },
      { type: 'scatter', title: '', x: { ...x, scale }, y, series: [{ name: 'a', x: odd, y: odd }] },
      { type: 'heatmap', title: '', x, y: { ...y, categories: ['a'] }, value: y, values: [odd] },
    ];
    for (const chart of charts) {
      assert.doesNotMatch(chartSvg(chart), /="[^"]*(NaN|Infinity|undefined)/, `${chart.type}, ${scale}`);
    }
  }
});
