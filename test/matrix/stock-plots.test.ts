import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { BarChart, Chart, LineChart, TableChart } from '../../src/charts/core/chart.ts';
import { chartSvg } from '../../src/charts/core/chart-svg.ts';
import { gatherEntries, type MatrixEntry, type Settings } from '../../src/formats/core/kpi/matrix-entry.ts';
import type { PlotRequest } from '../../src/formats/core/kpi/workload.ts';
import { stockPlots } from '../../src/matrix/core/plots/workload-plots.ts';
import type { JsonObject } from '../../src/platform/core/text/json.ts';
import tinyKpis from '../support/tiny-kpis.ts';

interface GoldenEntry {
  readonly settings: Settings;
  readonly location: string;
  readonly results: JsonObject;
}

const GOLDEN = (
  JSON.parse(readFileSync('test/golden/matrix/expected/internal_matrix.json', 'utf8')) as GoldenEntry[]
).map(({ settings, location, results }) => entryOf(settings, results, location));
const PLOTS = stockPlots(tinyKpis);

test('names and ids are there once, and the reports are called as they always were', () => {
  assert.equal(new Set(PLOTS.map(({ name }) => name)).size, PLOTS.length);
  assert.equal(new Set(PLOTS.map(({ id }) => id)).size, PLOTS.length);
  assert.deepEqual(
    PLOTS.filter(({ isReport }) => isReport).map(({ name }) => name),
    [
      'report: KPI Table Report by settings',
      'report: KPI Table Report by labels',
      'report: KPI Plot Report',
      'report: LTS Documentation',
    ],
  );
});

test('two settings that vary: groups of bars from zero, the last setting is the legend', () => {
  const chart = only<BarChart>('Value: tiny_throughput', GOLDEN, ['virtual_users', 'model_name']);
  assert.equal(chart.type, 'bars');
  assert.deepEqual(chart.x.categories, ['4', '16', '128']);
  assert.equal(chart.y.startsAtZero, true);
  assert.deepEqual(
    chart.series.map(({ name, values }) => [name, values[0]]),
    [
      ['model_name=m1', throughput('m1', 4)],
      ['model_name=m2', throughput('m2', 4)],
    ],
  );
  assert.ok(Number.isNaN(chart.series[1]?.values[1]));
  assert.equal(chart.subtitle, 'Higher is better');
  assert.deepEqual(chart.notes, ['Marked with a cross: 2 places without a value.']);
});

test('three or four settings: a sub-plot for each value of the first, lines with bands', () => {
  const entries = product([2, 3, 2]);
  const chart = only('ValueDev: tiny_throughput', entries, ['a', 'b', 'c']);
  assert.equal(chart.type, 'panels');
  const [first] = chart.type === 'panels' ? chart.charts : [];
  assert.equal(first?.title, 'a=0');
  const lines = first as LineChart;
  assert.deepEqual(
    lines.series.map(({ name }) => name),
    ['c=0', 'c=1'],
  );
  assert.deepEqual(lines.series[0]?.x, [0, 1, 2]);
  assert.ok(lines.series[0]?.low);
});

test('five settings: points sorted by their values', () => {
  const chart = only('Value: tiny_throughput', product([2, 2, 2, 2, 2]), ['a', 'b', 'c', 'd', 'e']);
  assert.equal(chart.type, 'scatter');
  const points =
    chart.type === 'scatter'
      ? chart.series.flatMap(({ x, y }) => x.map((rank, index) => [rank, y[index]] as const))
      : [];
  const byRank = points.toSorted((a, b) => a[0] - b[0]).map(([, value]) => value);
  assert.deepEqual(
    byRank,
    byRank.toSorted((a, b) => (a ?? 0) - (b ?? 0)),
  );
  assert.equal(points.length, 32);
});

test('a gathered entry is the mean of its tests; two of them have no deviation, three have', () => {
  const repeated = (users: number, values: readonly number[]) =>
    values.map((value, seed) =>
      entryOf({ users, '@seed': seed }, { data: { throughput: value, samples: [value, value + 3] } }),
    );
  const entries = gatherEntries([...repeated(1, [10, 20]), ...repeated(2, [10, 20, 30])]);
  const { series } = only<BarChart>('ValueDev: tiny_throughput', entries, ['users']);
  assert.deepEqual(series[0]?.values, [15, 20]);
  assert.deepEqual(series[0]?.low, [15, 10]);
  assert.deepEqual(series[0]?.high, [15, 30]);
  const pooled = only<BarChart>('MeanStd: tiny_samples', entries, ['users']).series[0];
  assert.deepEqual(pooled?.values, [16.5, 21.5]);
  assert.ok((pooled?.low?.[0] ?? 99) < 16.5);
});

test('a KPI with a divisor is drawn in the unit it is shown in', () => {
  const chart = only<LineChart>('Lines', GOLDEN, ['virtual_users', 'model_name'], { kpi: 'tiny_memory' });
  assert.equal(chart.y.unit, 'GB');
  assert.equal(chart.series[0]?.y[0], 2);
  assert.equal(chart.subtitle, 'Lower is better');
});

test('any number of the results can be drawn', () => {
  const chart = only<BarChart>('Bars', GOLDEN, ['virtual_users'], { field: 'data.memory_mb', title: 'Mine' });
  assert.equal(chart.title, 'Mine');
  assert.equal(chart.series[0]?.values[0], 2048);
});

test('an unknown KPI is refused with the name that is nearest', () => {
  assert.throws(() => only('Bars', GOLDEN, [], { kpi: 'tiny_memroy' }), {
    code: 'CHART_NO_KPI',
    message: 'The workload has no KPI "tiny_memroy".',
    hint: 'Did you mean tiny_memory?',
  });
});

test('the KPI table has short ids, arrows to the better side and no prefix', () => {
  const [, , part] = draw('report: KPI Table Report by settings', GOLDEN, []);
  const table = (part?.type === 'chart' ? part.chart : assert.fail()) as TableChart;
  assert.deepEqual(
    table.columns.map(({ name }) => name),
    ['test', 'model_name', 'virtual_users', 'throughput ▲', 'memory ▼', 'samples ▼'],
  );
  assert.match(table.subtitle ?? '', /version=1\.13\.0/);
  assert.deepEqual(table.rows[0]?.[0], { text: '00000000', link: 'http://example.invalid/run' });
  assert.equal(table.rows[0]?.[3]?.text, '100.00 req/s');
  assert.equal(table.rows[0]?.[4]?.text, '2.0 GB');
});

test('versions stand in the order of their numbers', () => {
  const entries = ['1.10.0', '1.9.0', '1.2.0'].map((version) =>
    entryOf({ version }, { data: { throughput: 1 } }),
  );
  const chart = only<LineChart>('KPI over versions', entries, []);
  assert.deepEqual(chart.x.categories, ['1.2.0', '1.9.0', '1.10.0']);
});

test('every plot and report can be drawn from results, from nothing and from hostile names', () => {
  const hostile = entryOf(
    { '<script>': '</svg><script>', n: null, list: [1, 2] },
    { data: { throughput: 5 } },
  );
  for (const entries of [GOLDEN, [], [hostile, ...GOLDEN]]) {
    for (const { name } of PLOTS) {
      const parts = draw(name, entries, Object.keys(entries[0]?.settings ?? {}));
      for (const part of parts) {
        if (part.type !== 'chart') continue;
        assert.doesNotMatch(chartSvg(part.chart), /NaN|undefined|Infinity|<script/, name);
      }
    }
  }
});

function entryOf(settings: Settings, results: JsonObject, location = 'results/x'): MatrixEntry {
  return { location, settings, importSettings: settings, exitCode: 0, results, problems: [] };
}

function product(sizes: readonly number[]): readonly MatrixEntry[] {
  const points = sizes.reduce<number[][]>(
    (before, size) =>
      before.flatMap((point) => Array.from({ length: size }, (_, value) => [...point, value])),
    [[]],
  );
  return points.map((point, index) => {
    const settings = Object.fromEntries(point.map((value, axis) => ['abcde'[axis] ?? '', value]));
    return entryOf(settings, { data: { throughput: (index * 7) % 32 } });
  });
}

function throughput(model: string, users: number): unknown {
  const entry = GOLDEN.find(
    ({ settings }) => settings['model_name'] === model && settings['virtual_users'] === users,
  );
  return ((entry ?? assert.fail()).results['data'] as JsonObject)['throughput'];
}

function draw(
  name: string,
  entries: readonly MatrixEntry[],
  orderedVars: readonly string[],
  cfg: PlotRequest['cfg'] = {},
) {
  const plot = PLOTS.find((one) => one.name === name) ?? assert.fail(`no plot ${name}`);
  return plot.draw({
    entries,
    all: entries,
    settings: {},
    settingLists: [],
    variables: {},
    orderedVars,
    cfg,
  });
}

function only<T extends Chart>(...request: Parameters<typeof draw>): T {
  const [part, ...more] = draw(...request);
  assert.equal(more.length, 0);
  return (part?.type === 'chart' ? part.chart : assert.fail()) as T;
}
