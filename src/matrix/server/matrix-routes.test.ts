import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { smallMatrix, storedTest, throughput } from '../../../test/support/stored-tests.ts';
import { resvg as pictures } from '../../charts/adapters/resvg.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../../home/cli/home-index.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../server/create-server.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-matrix-'));
const index = watchIndex(home);
const app = createServer(
  { home, isLoopback: true },
  {
    disk: localDisk,
    clock: { now: () => 0 },
    index,
    pictures: async () => pictures,
    report: (line) => console.log(line),
  },
);
const get = (url: string) => app.inject({ url, headers: { host: 'localhost:4177' } });

before(async () => {
  assert.equal((await get('/api/matrix/chart.svg')).statusCode, 404);
  const file = homeLayout(home).index;
  mkdirSync(dirname(file), { recursive: true });
  const store = await openSqliteStore(file);
  await store.savePayloads(smallMatrix());
  store.close();
});
after(async () => {
  await app.close();
  index.close();
  rmSync(home, { recursive: true });
});

test('settings with their values and counts, KPIs with unit and direction', async () => {
  const facts = JSON.parse((await get('/api/matrix')).body);
  assert.equal(facts.tests, 28);
  assert.equal(facts.failed, 1);
  const [, model, , users] = facts.settings;
  assert.deepEqual(model, {
    name: 'model',
    values: [
      { value: 'm1', tests: 16 },
      { value: 'm2', tests: 12 },
    ],
  });
  assert.deepEqual(
    users.values.map((one: { tests: number }) => one.tests),
    [8, 8, 8, 4],
  );
  const { help: _, ...kpi } = facts.kpis[0];
  assert.deepEqual(kpi, { name: 'throughput', unit: 'req/s', better: 'higher', tests: 28, withoutValue: 1 });
});

test('every test in columns', async () => {
  const entries = JSON.parse((await get('/api/matrix/entries')).body);
  assert.equal(entries.ids.length, 28);
  assert.equal(entries.exitCodes[0], 3);
  assert.equal(entries.runs[1], 'r1');
  assert.deepEqual(entries.kpis[1].values[0], [2, 3, 3]);
  assert.equal(entries.kpis[0].rows, null);
});

test('a table of the chosen tests, failed ones left out unless asked for', async () => {
  const csv = async (query: string) =>
    (await get(`/api/matrix/entries.csv?${query}`)).body.trim().split('\n');
  const lines = await csv('is.model=m1&is.users=1');
  assert.equal(lines[0], 'test,time,exit_code,@seed,model,tool,users,throughput [req/s],latency [ms]');
  assert.equal(lines.length, 1 + 3);
  assert.match(lines[1] ?? '', /^00000000-.*,2026-01-01T00:01:00.000Z,0,1,m1,wrk,1,101,"\[2,3,3\]"$/);
  assert.equal((await csv('is.model=m1&is.users=1&failed=1')).length, 1 + 4);
});

test('the pivot says what was not run and what failed', async () => {
  const { body } = await get('/api/matrix/pivot.csv?axis=users&axis=model');
  const lines = body.trim().split('\n');
  assert.match(lines[1] ?? '', /^1,102,(?:1|0\.9{6,}\d*),3,1,202,(?:1|0\.9{6,}\d*),4,0$/);
  assert.match(lines[4] ?? '', /^8,801\.5,1\.29\d+,4,0,,,0,0$/);
});

test('the chart of an address as SVG and PNG, for download', async () => {
  const svg = await get('/api/matrix/chart.svg?chart=bars&axis=users&axis=model');
  assert.equal(svg.headers['content-type'], 'image/svg+xml; charset=utf-8');
  assert.match(String(svg.headers['content-disposition']), /attachment/);
  assert.match(svg.body, /Requests served per second \[req\/s\]/);
  assert.match(svg.body, /model=m2\n8: no value/);
  assert.match(svg.body, /1 failed test left out/);
  const png = await get('/api/matrix/chart.png');
  assert.equal(png.headers['content-type'], 'image/png');
  assert.equal(png.rawPayload.subarray(1, 4).toString(), 'PNG');
});

test('names that are markup are text in the picture', async () => {
  const store = await openSqliteStore(homeLayout(home).index);
  const settings = { '<script>alert(1)</script>': '"><img src=x>' };
  await store.savePayloads([
    storedTest(900, settings, { kpis: { '<b>': { ...throughput(1), help: '<svg onload=alert(2)>' } } }),
  ]);
  store.close();
  const { body } = await get('/api/matrix/chart.svg?kpi=%3Cb%3E&axis=%3Cscript%3Ealert(1)%3C/script%3E');
  assert.match(body, /&#60;svg onload=alert\(2\)&#62;/);
  assert.doesNotMatch(body, /<script|<img|<svg onload/);
});

test('points of matrices that ran in nights are tests as well, by their time among the others', async () => {
  const store = await openSqliteStore(homeLayout(home).index);
  const startedAt = Date.UTC(2026, 0, 31, 2);
  const id = '20260131-020000-test';
  await store.saveRun({
    ...{ id, kind: 'night', project: 'p', label: '01-31-2026-0200', state: 'finished', startedAt },
    ...{ order: ['sweep', 'plain'], origin: 'measured', warnings: [] },
  });
  const trial = {
    runId: id,
    kind: 'experiment',
    state: 'succeeded',
    startedAt,
    commits: {},
    message: '',
  } as const;
  await store.saveTrials([
    { ...trial, task: 'sweep' },
    { ...trial, task: 'plain' },
  ]);
  const set = { benchmark: ['sort'], metric: 'time', unit: 's', better: 'lower' } as const;
  await store.saveSamples(
    ...([
      id,
      'sweep',
      [10, 20].map((size) => ({ ...set, values: [size, size + 1], settings: { size } })),
    ] as const),
  );
  await store.saveSamples(id, 'plain', [{ ...set, values: [1], settings: {} }]);
  store.close();
  const facts = JSON.parse((await get('/api/matrix')).body);
  const size = facts.settings.find((one: { name: string }) => one.name === 'size');
  assert.deepEqual(
    size.values.slice(0, 2).map((one: { value: unknown; tests: number }) => [one.value, one.tests]),
    [
      [10, 1],
      [20, 1],
    ],
  );
  const entries = JSON.parse((await get('/api/matrix/entries')).body);
  assert.deepEqual(entries.runs.slice(-2), [id, id]);
  assert.equal(entries.times.at(-1), startedAt);
  const kpi = entries.kpis.find((one: { name: string }) => one.name === 'sort');
  assert.deepEqual(
    [kpi.unit, kpi.better, kpi.values],
    [
      's',
      'lower',
      [
        [10, 11],
        [20, 21],
      ],
    ],
  );
});
