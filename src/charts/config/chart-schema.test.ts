import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChartFile } from '../core/file/read-chart-file.ts';
import { chartSchema } from './chart-schema.ts';

const bar = { chart: 'bar', bars: [{ label: 'a', value: 1.5 }] };
const grouped = { chart: 'grouped-bar', groups: ['x'], series: [{ label: 's', values: [1, null] }] };
const line = { chart: 'line', series: [{ x: ['2026-01-31T02:00', 5], y: [1, null] }] };

const RIGHT = [
  bar,
  grouped,
  line,
  { ...bar, bars: [] },
  { ...bar, bars: [{ label: 'a', value: -1e300, offset: -0.5 }], colors: ['C9', '#00ff0A'], fontScale: 1.5 },
  { ...bar, title: '', xTitle: 'x', yTitle: 'y', yScale: 'log', unit: 's', width: 100, height: 8000 },
  { ...grouped, legendTitle: 'Framework', valueLabels: false, significantFigures: 17 },
  { ...grouped, series: [{ label: 's', values: [1], offsets: [null, 0.1], labelOffsets: [] }] },
  { ...line, xScale: 'time', points: true, series: [] },
];
const WRONG = [
  null,
  [],
  3,
  {},
  { chart: 'pie' },
  { chart: 'constructor' },
  { chart: 'bar' },
  { ...bar, bars: {} },
  { ...bar, bars: [3] },
  { ...bar, bars: [{ label: 'a' }] },
  { ...bar, bars: [{ label: 'a', value: '1' }] },
  { ...bar, bars: [{ label: 'a', value: null }] },
  { ...bar, bars: [{ label: 1, value: 1 }] },
  { ...bar, more: 1 },
  { ...bar, width: 99 },
  { ...bar, height: 1e9 },
  { ...bar, significantFigures: 2.5 },
  { ...bar, valueLabels: 'yes' },
  { ...bar, colors: ['red'] },
  { ...bar, yScale: 'time' },
  { ...grouped, groups: [1] },
  { ...grouped, series: [{ label: 's' }] },
  { ...grouped, series: [{ label: 's', values: [true] }] },
  { ...line, series: [{ x: [null], y: [1] }] },
  { ...line, points: 1 },
];

test('the schema for editors and the reader at work agree', () => {
  for (const file of RIGHT) {
    assert.deepEqual(readChartFile(JSON.stringify(file), 'f'), file);
    assert.ok(chartSchema.safeParse(file).success, JSON.stringify(file));
  }
  for (const file of WRONG) {
    assert.throws(
      () => readChartFile(JSON.stringify(file), 'f'),
      { code: 'CHART_FIELD' },
      JSON.stringify(file),
    );
    assert.ok(!chartSchema.safeParse(file).success, JSON.stringify(file));
  }
});

test('a problem names file, field and value', () => {
  const text = JSON.stringify({ ...grouped, series: [{ label: 's', values: [1, 'x'] }] });
  assert.throws(() => readChartFile(text, 'a.json'), {
    message: 'a.json: series[0].values[1] is "x": expected a number, or null for a gap.',
  });
  assert.throws(
    () => readChartFile('{"chart": "line", "series": [{"x": ["1/2/2026"], "y": []}]}', 'a'),
    /series\[0\]\.x\[0\] is "1\/2\/2026"/,
  );
  assert.throws(
    () => readChartFile('{"chart": "bar", "barz": []}', 'a'),
    /barz is \[\].*did you mean "bars"/,
  );
});
