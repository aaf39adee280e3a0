import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HOSTILE, LAST_NIGHT, LONG, makeSampleHome, nightId } from '../../../test/sample-home.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../../home/cli/home-index.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../server/create-server.ts';
import type { ExperimentView } from '../app/read-experiment.ts';
import type { ExperimentHistory } from '../app/read-history.ts';
import type { TelemetryView } from '../app/runs/run-telemetry.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark experiments-'));
const index = watchIndex(home);
const clock = { now: () => LAST_NIGHT + 5 * 3_600_000 };
const app = createServer({ home, isLoopback: true }, { disk: localDisk, clock, index, report: () => {} });
const get = (url: string) => app.inject({ url, headers: { host: 'localhost:4177' } });
const json = async <T>(url: string) => {
  const response = await get(url);
  assert.equal(response.statusCode, 200, url);
  return response.json() as T;
};

before(async () => {
  await makeSampleHome(home, 40);
  const store = await openSqliteStore(homeLayout(home).index);
  const times = Float64Array.from({ length: 5_000 }, (_, second) => LAST_NIGHT + 1_000 * second);
  const columns = (label: string, values: Float64Array) => ({
    ...{ name: 'cpu.proc-pressure', tags: { experiment: 'sort', label }, unit: '%', times, values },
  });
  const waiting = times.map((_, second) => (second > 100 && second < 200 ? 40 : 0));
  await store.appendPoints(nightId(0), [columns('cpu-some', waiting)]);
  store.close();
});
after(async () => {
  await app.close();
  index.close();
  rmSync(home, { recursive: true });
});

test('an experiment says how it stands, and since which commit', async () => {
  const view = await json<ExperimentView>('/api/experiments/sort');
  assert.equal(view.title, 'Sorting 10 000 numbers');
  assert.deepEqual(
    [view.newest?.trial.state, view.newest?.stages.length, view.newest?.machine?.name],
    ['succeeded', 2, 'bench-1'],
  );
  assert.ok(view.changes.length >= 2 && view.changes.every(({ direction }) => direction === 'worse'));
  assert.deepEqual(view.commits, { [nightId(0)]: { repo: '6de6d63-dirty' } });
  assert.deepEqual(view.summary, { state: 'present', title: 'Sort <1>', text: '_12.5 ms_\nsecond line' });
  assert.deepEqual(view.graphs.files, ['all time/picture one.svg']);
  assert.equal(view.recent.length, 40);
  assert.deepEqual(view.recent[0]?.data, { file: 'data_01-31-2026-0200.json', size: 21 });
  assert.equal(view.recent[1]?.data, undefined);
  assert.equal((await json<ExperimentView>('/api/experiments/json')).summary.state, 'unusable');
});

test('a history has columns of runs, levels with intervals, and changes first', async () => {
  const history = await json<ExperimentHistory>('/api/experiments/sort/history');
  assert.deepEqual([history.count, history.details, history.matching], [4, 1, 4]);
  assert.deepEqual(
    history.series.map(({ path }) => path.join('/')),
    ['cpu/A', 'cpu/B', 'memory', 'reward'],
  );
  const [first] = history.series;
  assert.ok(first);
  assert.deepEqual([first.count, first.places.length, first.places.at(-1)], [40, 40, 39]);
  assert.equal(history.runs.times[39], LAST_NIGHT);
  assert.deepEqual(history.runs.commitSets, [{ repo: '6de6d63-dirty' }]);
  assert.deepEqual(history.runs.machineNames, ['bench-1']);
  assert.equal(first.newest?.verdict, 'slower');
  const [level] = first.levels;
  assert.ok(level?.low !== undefined && level.high !== undefined);
  assert.ok(level.low < 0.0125 && level.high > 0.0125 && level.high - level.low < 0.0003);
  assert.equal(first.changes[0]?.runId, nightId(0));
});

test('failures are runs without a value', async () => {
  const { runs, series } = await json<ExperimentHistory>('/api/experiments/broken/history');
  assert.deepEqual([runs.failed, runs.failedCount], [[35, 36, 37, 38, 39], 5]);
  assert.equal(series[0]?.count, 35);
});

test('values are searched by words, paged, and seen in a stretch', async () => {
  const found = await json<ExperimentHistory>('/api/experiments/sort/history?search=CPU%20b');
  assert.deepEqual([found.matching, found.series[0]?.path], [1, ['cpu', 'B']]);
  const details = await json<ExperimentHistory>('/api/experiments/sort/history?details=1&search=mean');
  assert.deepEqual(details.series[0]?.path, ['detailed', 'cpu', 'A', 'mean']);
  const rest = await json<ExperimentHistory>('/api/experiments/sort/history?first=3&order=name');
  assert.deepEqual([rest.series.length, rest.matching], [1, 4]);
  const from = LAST_NIGHT - 3 * 86_400_000;
  const late = await json<ExperimentHistory>(`/api/experiments/sort/history?from=${from}&to=${LAST_NIGHT}`);
  assert.deepEqual([late.series[0]?.count, late.runs.ids.length], [4, 4]);
  const { stretches } = await json<ExperimentHistory>('/api/experiments/sort/history');
  assert.deepEqual(stretches, [{ runs: 30, from: LAST_NIGHT - 29 * 86_400_000, to: LAST_NIGHT }]);
  // A zoom changes no verdict.
  const past = await json<ExperimentHistory>(`/api/experiments/sort/history?from=1&to=${from}`);
  assert.deepEqual([past.series[0]?.count, past.series[0]?.newestValue], [37, late.series[0]?.newestValue]);
  assert.equal(past.series[0]?.newestValue?.toPrecision(3), '0.0150');
  assert.equal(late.series[0]?.newest?.history, 39);
});

test('what is new is seen although answers are remembered', async () => {
  const before = await json<ExperimentHistory>('/api/experiments/json/history');
  const store = await openSqliteStore(homeLayout(home).index);
  const [run] = await store.latestRuns({ limit: 1 });
  assert.ok(run);
  const at = LAST_NIGHT + 3_600_000;
  await store.saveRun({ ...run, id: 'new', startedAt: at });
  await store.saveTrials([
    { runId: 'new', task: 'json', kind: 'experiment', state: 'succeeded', message: '', commits: {} },
  ]);
  const values = [['cpu', 'A'], ['=1+1']].map((path) => ({ experiment: 'json', path, value: 1 }));
  await store.saveValues({ runId: 'new', task: 'json', at, values });
  store.close();
  const after = await json<ExperimentHistory>('/api/experiments/json/history');
  const countOf = ({ series }: ExperimentHistory) =>
    series.find(({ path }) => path.join('/') === 'cpu/A')?.count;
  assert.deepEqual([countOf(before), countOf(after)], [40, 41]);
});

test('the table has a line for each value, and no cell that a table program would run', async () => {
  const { body, headers } = await get('/api/experiments/sort/history.csv?search=cpu%20A');
  const lines = body.trimEnd().split('\n');
  assert.equal(lines.length, 41);
  assert.equal(lines[0], 'started,run,state,machine,commits,metric,unit,value');
  assert.match(
    lines[40] ?? '',
    /^2026-01-31T02:00:00\.000Z,\S+-test,succeeded,f00d,repo=6de6d63-dirty,cpu\/A,s,0\.01\d+$/,
  );
  assert.match((await get('/api/experiments/json/history.csv?search=%3D')).body, /,,'=1\+1,,1\n$/);
  assert.match(String(headers['content-disposition']), /^attachment; filename\*=UTF-8''sort\.csv$/);
});

test('telemetry is thinned for a chart, and says what disturbed the run', async () => {
  const view = await json<TelemetryView>(`/api/runs/${nightId(0)}/telemetry?experiment=sort`);
  assert.equal(view.series[0]?.count, 5_000);
  assert.ok((view.series[0]?.times.length ?? 0) <= 2_000);
  assert.deepEqual(view.disturbed, [
    {
      from: LAST_NIGHT + 100_000,
      to: LAST_NIGHT + 199_000,
      reason: 'something waited for a CPU, up to 40 % of the time',
    },
  ]);
  const other = await json<TelemetryView>(`/api/runs/${nightId(0)}/telemetry?experiment=json`);
  assert.deepEqual(other, { series: [], disturbed: [] });
  assert.equal((await get('/api/runs/nothing/telemetry')).statusCode, 404);
});

test('names are taken as they are; unknown ones are 404', async () => {
  for (const name of [HOSTILE, LONG]) {
    for (const rest of ['', '/history', '/history.csv'])
      assert.equal((await get(`/api/experiments/${encodeURIComponent(name)}${rest}`)).statusCode, 200);
  }
  for (const name of ['nothing', '%3Cscript%3E', '..%2F..', '..']) {
    for (const rest of ['', '/history', '/history.csv'])
      assert.equal((await get(`/api/experiments/${name}${rest}`)).statusCode, 404, name + rest);
  }
});
