import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KpiPoint } from './kpi.ts';
import { openMetricsText } from './openmetrics.ts';

const point = (more: Partial<KpiPoint> = {}): KpiPoint => ({
  ...{ name: 'memory', help: 'Peak memory', unit: 'MB', value: 2, labels: { model: 'm1' }, at: 1_500 },
  ...more,
});
const valuesOf = (points: readonly KpiPoint[], options = {}) =>
  openMetricsText(points, options)
    .text.split('\n')
    .filter((line) => !line.startsWith('#') && !line.startsWith('nightmark_') && line !== '');

test('a metric has help, type and unit, and the text has an end', () => {
  assert.equal(
    openMetricsText([point()]).text,
    `# HELP memory_megabytes Peak memory
# TYPE memory_megabytes gauge
# UNIT memory_megabytes megabytes
memory_megabytes{model="m1"} 2
# HELP nightmark_kpi_timestamp_seconds When the test began whose KPI is shown
# TYPE nightmark_kpi_timestamp_seconds gauge
# UNIT nightmark_kpi_timestamp_seconds seconds
nightmark_kpi_timestamp_seconds{kpi="memory_megabytes",model="m1"} 1.5
# EOF
`,
  );
  assert.equal(openMetricsText([]).text, '# EOF\n');
});

test('names become legal ones, and units part of them', () => {
  const named = (name: string, unit: string) => valuesOf([point({ name, unit, labels: {} })])[0];
  assert.equal(named('p95 latency', 'ms'), 'p95_latency_milliseconds 2');
  assert.equal(named('9lives', ''), '_9lives 2');
  assert.equal(named('rate:x', 'req/s'), 'rate_x_requests_per_second 2');
  assert.equal(named('wait_seconds', 's'), 'wait_seconds 2');
  assert.equal(named('load', '%'), 'load_percent 2');
  assert.equal(named('odd', '°/µ?'), 'odd_per 2');
});

test('labels are escaped, legal and distinct; lists are JSON; what is null is not there', () => {
  const labels = { 'a-b': 'x"\\\n', a_b: 1, __x: true, none: null, list: [1, 'é'], stat: 's' };
  assert.deepEqual(valuesOf([point({ labels })]), [
    'memory_megabytes{_x="true",a_b="x\\"\\\\\\n",a_b_="1",list="[1,\\"é\\"]",stat_="s"} 2',
  ]);
});

test('of a series the newest value is shown, or all with their times in order', () => {
  const points = [
    point({ at: 3_000, value: 3 }),
    point({ at: 1_250, value: 1 }),
    point({ at: Number.NaN, value: 9 }),
  ];
  assert.deepEqual(valuesOf(points), ['memory_megabytes{model="m1"} 3']);
  assert.deepEqual(valuesOf(points, { hasTimes: true }), [
    'memory_megabytes{model="m1"} 1 1.25',
    'memory_megabytes{model="m1"} 3 3',
  ]);
});

test('a list becomes its statistics, and the number of values', () => {
  assert.deepEqual(valuesOf([point({ name: 'wait', unit: 'ms list', value: [1, 2, 6], labels: {} })]), [
    'wait_milliseconds{stat="max"} 6',
    'wait_milliseconds{stat="mean"} 3',
    'wait_milliseconds{stat="min"} 1',
    'wait_milliseconds{stat="p50"} 2',
    'wait_milliseconds{stat="p90"} 5.2',
    'wait_values 3',
  ]);
});

test('what cannot be expressed is listed, never a zero', () => {
  const { text, leftOut } = openMetricsText([
    point({ name: 'a.b' }),
    point({ name: 'a_b' }),
    point({ name: 'c', value: null }),
    point({ name: 'd', value: [], labels: {} }),
  ]);
  assert.ok(!/^[cd]/m.test(text));
  assert.deepEqual(leftOut, [
    'a_b has the same metric name as a.b: a_b_megabytes',
    'c has no value at model=m1',
    'd has no value',
  ]);
});

test('repeats that share their labels are counted, not dropped in silence', () => {
  const seeds = [1, 2, 3].map((value) => point({ value, at: 1_000 * value }));
  const { leftOut } = openMetricsText(seeds);
  assert.deepEqual(valuesOf(seeds), ['memory_megabytes{model="m1"} 3']);
  assert.deepEqual(leftOut, [
    '2 values of memory have the same labels as another one, the newest is shown; --timestamps shows all, --gather with JSON or CSV their mean',
  ]);
  assert.deepEqual(openMetricsText(seeds, { hasTimes: true }).leftOut, []);
  const same = openMetricsText([point(), point({ value: 3 })], { hasTimes: true });
  assert.deepEqual(same.leftOut, ['1 values of memory have the same labels and time as another one']);
});
