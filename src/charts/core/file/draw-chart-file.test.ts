import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartFile } from './chart-file.ts';
import { drawChartFile } from './draw-chart-file.ts';
import { parseTime } from './read-chart-file.ts';

const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
const bars = (values: readonly number[], more: Partial<ChartFile> = {}) =>
  drawChartFile({
    chart: 'bar',
    bars: values.map((value, index) => ({ label: `b${index}`, value })),
    ...more,
  } as ChartFile);
const rects = (svg: string) =>
  [...svg.matchAll(/<rect x="([\d.-]+)" y="[\d.-]+" width="([\d.]+)" height="[\d.]+" fill="(#\w+)"/g)].map(
    ([, x, width, fill]) => ({ x: Number(x), width: Number(width), fill }),
  );

test('bars carry their values, zero bars none', () => {
  const shown = texts(bars([12.345, 0, 0.5123]));
  assert.deepEqual(
    shown.filter((text) => ['12.3', '0.51', '12.345'].includes(text ?? '')),
    ['12.3', '0.51'],
  );
  assert.equal(texts(bars([12.345], { valueLabels: false })).includes('12.3'), false);
  assert.ok(texts(bars([12.345], { significantFigures: 4 })).includes('12.35'));
});

test('values are those that the axis shows', () => {
  const shown = texts(bars([0.0025, 0.004], { unit: 's', yTitle: 'time' }));
  assert.ok(shown.includes('time [ms]'));
  assert.ok(shown.includes('2.5') && shown.includes('4'));
});

test('colours go to bars in turn, or to series', () => {
  const fills = rects(bars([1, 2, 3], { colors: ['C1', '#123456'] })).map(({ fill }) => fill);
  assert.deepEqual(fills, ['#d55e00', '#123456', '#d55e00']);
  const series = ['a', 'b'].map((label) => ({ label, values: [1, 2] }));
  const grouped = drawChartFile({
    chart: 'grouped-bar',
    groups: ['x', 'y'],
    series,
    colors: ['#111111', 'C9'],
  });
  assert.deepEqual(
    rects(grouped).map(({ fill }) => fill),
    ['#111111', '#111111', '#8a8f00', '#8a8f00'],
  );
});

test('an offset moves a bar by so many places', () => {
  const file = {
    chart: 'grouped-bar',
    groups: ['x', 'y'],
    series: [{ label: 'a', values: [1, 2] }],
  } as const;
  const [plain] = rects(drawChartFile(file));
  const [moved] = rects(
    drawChartFile({ ...file, series: [{ label: 'a', values: [1, 2], offsets: [0.25, null] }] }),
  );
  // A bar that stands alone takes 0.8 of its place, less the gap of a pixel.
  const place = ((plain?.width ?? 0) + 1) / 0.8;
  assert.ok(Math.abs((moved?.x ?? 0) - (plain?.x ?? 0) - place / 4) < 0.3);
});

test('times without a zone are not called UTC', () => {
  const line = (x: string) =>
    texts(drawChartFile({ chart: 'line', xTitle: 'Date of Run', series: [{ x: [x], y: [1] }] }));
  assert.ok(line('2026-01-31T02:00').includes('Date of Run'));
  assert.ok(line('2026-01-31T02:00Z').includes('Date of Run [UTC]'));
  assert.ok(line('2026-01-31T02:00').includes('2026-01-31'), 'the day of a single point is on the axis');
  assert.equal(parseTime('2026-01-31 02:00:00.123456'), Date.UTC(2026, 0, 31, 2, 0, 0, 123));
  assert.equal(parseTime('2026-01-31T02:00+0100'), Date.UTC(2026, 0, 31, 1));
});

test('larger text leaves the picture as large as it was asked for', () => {
  const svg = bars([1], { width: 600, height: 400, fontScale: 2 });
  assert.match(svg, /viewBox="0 0 300 200" width="600" height="400"/);
});

test('nothing to draw, hostile names and a thousand bars are drawn', () => {
  assert.ok(texts(bars([])).includes('no data'));
  const hostile = drawChartFile({ chart: 'bar', title: '<script>', bars: [{ label: '"><b>', value: 1 }] });
  assert.doesNotMatch(hostile, /<script>|<b>/);
  const many = texts(bars(Array.from({ length: 1000 }, (_, index) => index)));
  assert.ok(many.some((text) => text?.startsWith('Values are left out')));
});
