import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallMatrix, storedTest, throughput } from '../../../../test/support/stored-tests.ts';
import type { Chart } from '../../../charts/core/chart.ts';
import { type EntryTable, entryTable } from './entry-table.ts';
import { exploreChart } from './explore-chart.ts';
import { moveItem, readView, valueLabel } from './explorer-view.ts';
import { bestPoint, pivotOf, pivotText } from './pivot.ts';
import { type ExplorerView, suggestView } from './suggest-view.ts';

function viewOf(table: EntryTable, query: string): ExplorerView {
  const pairs = query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => part.split('=', 2).map(decodeURIComponent) as [string, string]);
  const view = suggestView(table, readView(pairs, table));
  assert.ok(view);
  return view;
}

function chartOf<T extends Chart['type']>(view: ExplorerView, type: T): Extract<Chart, { type: T }> {
  const chart = exploreChart(view);
  assert.equal(chart.type, type);
  return chart as Extract<Chart, { type: T }>;
}

const small = entryTable(smallMatrix());

test('a number runs along x, what is left is distinguished by colour, and repetitions are averaged over', () => {
  const view = viewOf(small, '');
  assert.equal(view.kpi.name, 'throughput');
  assert.equal(view.chart, 'lines');
  assert.deepEqual(
    view.axes.map(({ name }) => name),
    ['users', 'model'],
  );
  assert.deepEqual(
    view.averaged.map(({ name }) => name),
    ['@seed'],
  );
  const { series, notes } = chartOf(view, 'lines');
  assert.deepEqual(series[0]?.y, [102, 201.5, 401.5, 801.5]);
  assert.deepEqual(series[1]?.y, [202, 401.5, 801.5, Number.NaN]);
  // One of four failed: t(0.975, 2) * 1 / sqrt(3) around 102.
  assert.ok(Math.abs((series[0]?.low?.[0] ?? 0) - 99.5158) < 1e-3);
  assert.deepEqual(notes?.slice(1), [
    'Marked with a cross: 1 place without a value.',
    'Averaged over @seed.',
    '1 test without a value.',
    '1 failed test left out.',
  ]);
});

test('values of failed tests count when they are asked for', () => {
  const { series } = chartOf(viewOf(small, 'failed=1'), 'lines');
  assert.equal(series[0]?.y[0], 101.5);
});

test('the best combination exists where the KPI has a direction', () => {
  const best = bestPoint(viewOf(small, 'is.users=1&is.users=2&axis=users&axis=model'));
  assert.deepEqual(best, { value: 401.5, tests: 4, name: 'users=2, model=m2', of: 4 });
  const latency = bestPoint(viewOf(small, 'kpi=latency&axis=users'));
  assert.equal(latency?.name, 'users=1');
  assert.ok(Math.abs((latency?.value ?? 0) - 8 / 3) < 1e-12);
});

test('a pivot says what was not run, what has no value and what failed', () => {
  const view = viewOf(small, 'axis=users&axis=model');
  const pivot = pivotOf(view);
  const texts = pivot.rows.map(({ cells }) =>
    cells.map((cell) => pivotText(cell, view).replaceAll('\u202f', ' ')),
  );
  assert.deepEqual(texts[0], ['102 req/s ±2.48 req/s, 1 failed', '202 req/s ±2.48 req/s']);
  assert.deepEqual(texts[3], ['802 req/s ±2.05 req/s', 'not run']);
  assert.equal(pivot.rows[0]?.cells[1]?.count, 3);
  assert.equal(pivot.rows[0]?.cells[1]?.tests, 4);
});

test('the third and fourth setting make panels of one range, with the same colours', () => {
  const rows = ['a', 'b'].flatMap((disk, at) =>
    smallMatrix().map(({ metadata, kpis }, place) =>
      storedTest(at * 100 + place, { ...metadata.settings, disk }, { kpis }),
    ),
  );
  const { charts, columns } = chartOf(viewOf(entryTable(rows), ''), 'panels');
  assert.equal(columns, 2);
  assert.deepEqual(
    charts.map(({ title }) => title),
    ['model=m1', 'model=m2'],
  );
  const names = charts.map((chart) => chart.type === 'lines' && chart.series.map(({ name }) => name));
  assert.deepEqual(names, [
    ['disk=a', 'disk=b'],
    ['disk=a', 'disk=b'],
  ]);
  const ranges = charts.map((chart) => chart.type === 'lines' && chart.y.range);
  assert.deepEqual(ranges[0], ranges[1]);
});

test('settings that tests have not got, and texts that look like numbers, have their own values', () => {
  const kpis = { k: throughput(1) };
  const table = entryTable([
    storedTest(1, { a: 4 }, { kpis }),
    storedTest(2, { a: '4' }, { kpis }),
    storedTest(3, { b: [1, 2] }, { kpis }),
  ]);
  const [a, b] = table.settings;
  assert.ok(a && b);
  assert.deepEqual(
    a.values.map((_, place) => valueLabel(a, place)),
    ['4', '"4"', '(not set)'],
  );
  assert.deepEqual(b.values, ['[1, 2]', null]);
  assert.deepEqual(viewOf(table, 'is.a=%224%22').selection.rows, [1]);
  assert.deepEqual(viewOf(table, 'is.a=(not set)').selection.rows, [2]);
});

test('tests of another workload are counted, and their settings do not vary here', () => {
  const other = storedTest(500, { other: 1 }, { kpis: { elsewhere: throughput(3) } });
  const view = viewOf(entryTable([...smallMatrix(), other]), 'kpi=throughput');
  assert.equal(view.selection.others, 1);
  assert.deepEqual(
    view.axes.map(({ name }) => name),
    ['users', 'model'],
  );
});

test('what an address asks for and is not there is reported', () => {
  const pairs = [
    ['kpi', 'troughput'],
    ['axis', 'user'],
    ['is.model', 'm9'],
  ] as const;
  assert.deepEqual(readView(pairs, small).problems, [
    'No test has a KPI "troughput". Did you mean throughput?',
    'No test has a setting "user". Did you mean users?',
    'No test has model=m9.',
  ]);
});

test('an address of the older explorer shows the same', () => {
  const view = viewOf(small, 'model=m1&users=---&settings-order=model%7Cusers&stats=x');
  assert.equal(view.selection.unchosen, 12);
  assert.deepEqual(
    view.axes.map(({ name }) => name),
    ['model', 'users'],
  );
});

test('a scatter has a point for each test, also where one KPI is missing', () => {
  const view = viewOf(small, 'chart=scatter&against=latency&axis=model');
  const { series, x, y } = chartOf(view, 'scatter');
  assert.deepEqual([x.unit, y.unit], ['ms', 'req/s']);
  assert.equal(series[1]?.y.length, 12);
  assert.ok(Number.isNaN(series[1]?.y[0]));
  assert.match(series[0]?.labels?.[0] ?? '', /^model=m1, @seed=1, users=1$/);
});

test('ten thousand tests are drawn without a wait', () => {
  const payloads = Array.from({ length: 10_000 }, (_, at) =>
    storedTest(at, { host: `h${at}`, size: at % 50, kind: `k${at % 5}` }, { kpis: { k: throughput(at) } }),
  );
  const view = viewOf(entryTable(payloads), '');
  assert.deepEqual(
    view.axes.map(({ name }) => name),
    ['size', 'kind'],
  );
  assert.equal(chartOf(view, 'lines').series.length, 5);
});

test('one moves to another index, the others keep their order', () => {
  assert.deepEqual(moveItem(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
  assert.deepEqual(moveItem(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c']);
  assert.deepEqual(moveItem(['a', 'b'], 0, -1), ['a', 'b']);
});
