import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { makeCurveHome } from '../../../test/support/curve-home.ts';
import { jobId, jobSpec } from '../../../test/support/job-specs.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import openSqliteQueue from '../../jobs/adapters/queues/sqlite/sqlite.ts';
import type { JobQueue } from '../../jobs/core/job-queue.ts';
import openSqliteShelf from '../../metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../metrics/app/point-engine.ts';
import { IngestCounters } from '../../metrics/core/lines/ingest-counters.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../platform/adapters/system-clock.ts';
import { createServer } from '../../server/create-server.ts';
import type { CurveData, CurvesView } from '../app/curves-view.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-curves-'));
let engine: PointEngine;
let queue: JobQueue;
let store: Store;
let app: FastifyInstance;
let now = 10_000;

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
};

before(async () => {
  makeCurveHome(home);
  mkdirSync(join(home, '.nightmark'), { recursive: true });
  engine = await PointEngine.open(await openSqliteShelf(homeLayout(home).points), { clock: systemClock });
  queue = await openSqliteQueue({ place: homeLayout(home).jobs, now: () => now });
  store = await openSqliteStore(homeLayout(home).index);
  const jobs = {
    ...{ queue, results: join(home, 'results'), randomSeed: () => 1, clock: { sleep: async () => {} } },
    isAlive: () => undefined,
  };
  const service = { writer: engine, reader: engine, admin: engine, stored: engine };
  const points = {
    ...{ ...service, counters: new IngestCounters(), keepsNotFinite: false },
    ...{ nextTimestamp: () => ({ ms: now, ns: 0 }), packets: async () => ({ isListening: false }) },
  };
  app = createServer(
    { home, isLoopback: true },
    {
      ...{ disk: localDisk, clock: { now: () => now }, index: { current: async () => store }, jobs, points },
      report: (line) => assert.fail(line),
    },
  );
});
after(async () => {
  await app.close();
  await engine.close();
  await queue.close();
  store.close();
  rmSync(home, { recursive: true });
});

async function get<T>(url: string): Promise<T> {
  now += 5_000;
  const response = await app.inject({ url, headers: { host: 'localhost' } });
  assert.equal(response.statusCode, 200, response.body);
  return response.json();
}

test('files, with the newest run of each pair and what could not be read', async () => {
  const old = 'results/experiments/data/rl/zz/2019-05-01-00-00-00/td3-garage_Hopper-v2_1/progress.csv';
  put(old, 'TotalEnvSteps,AverageReturn\n1,1\n2,2\n');
  utimesSync(join(home, old), 1000, 1000);
  const view = await get<CurvesView>('/api/curves');
  assert.deepEqual(view.tasks, ['HalfCheetah-v2', 'Hopper-v2', 'Reacher-v2']);
  assert.deepEqual(
    view.algorithms.map(({ name }) => name),
    ['ppo-garage', 'td3-garage', 'trpo-garage', 'ppo-garage (baseline)'],
  );
  assert.equal(view.cells.length, 9);
  assert.equal(view.older, 1);
  assert.deepEqual(
    view.unreadable.map(({ path }) => path),
    ['results/experiments/data/rl/broken/progress.csv'],
  );
  assert.deepEqual(view.yNames.slice(0, 1), ['Evaluation/AverageReturn']);
});

test('ragged seeds are aligned on what they share, a gap stays one, seeds come on request', async () => {
  const { lines, better } = await get<CurveData>('/api/curves/data?task=Reacher-v2&seeds=1&points=44');
  const [ppo] = lines;
  assert.equal(better, 'higher');
  assert.deepEqual([ppo?.x[0], ppo?.x.at(-1), ppo?.x.length], [1000, 44_000, 44]);
  assert.ok(Math.abs((ppo?.mean.at(-1) ?? 0) + 5.3) < 1e-12);
  assert.equal(ppo?.count[10], 3, 'one seed has nan there');
  assert.deepEqual(
    ppo?.seeds.map(({ x }) => x?.length),
    [44, 48, 52, 56],
  );
  assert.equal(ppo?.seeds[1]?.y?.[10], null);
  const { lines: none } = await get<CurveData>('/api/curves/data?task=Reacher-v2&y=Loss');
  assert.deepEqual(none, []);
  const response = await app.inject({ url: '/api/curves/data?task=x', headers: { host: 'localhost' } });
  assert.equal(response.statusCode, 404);
});

test('both formats of Garage, results of tests and metrics of jobs are curves as well', async () => {
  const run = { time_steps: [1, 2], return: { '0': 1, '1': 2 } };
  put(
    'results/experiments/data/v1/progress.json',
    JSON.stringify({ DDPG: { A: { trail_1: { garage: run, baselines: run } } } }),
  );
  put(
    'results/experiments/data/v2/auto/B_ppo.json',
    '{"x": [1, 2], "y": [3, NaN], "y_min": [2, 2], "y_max": [4, 4]}',
  );
  const metadata = { start: '2026-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z', test_uuid: 't' };
  const settings = { env: 'C', algo: 'sac', seed: 3 };
  await store.savePayloads([
    { metadata: { ...metadata, settings }, results: { reward: { x: [1, 2], y: [5, 6] } }, kpis: {} },
  ]);
  await queue.submit([jobSpec(7, { overrides: { env_id: 'D', algorithm: 'dqn', seed: 9, lr: 0.1 } })]);
  await engine.createDatabase('d');
  const line = (step: number, ms: number) =>
    `reward,job_id=${jobId(7)} value=${step * 2},step=${step}i ${ms}`;
  const { statusCode } = await app.inject({
    ...{ method: 'POST', url: '/write?db=d&precision=ms', headers: { host: 'localhost' } },
    payload: [line(10, 1000), line(20, 2000)].join('\n'),
  });
  assert.equal(statusCode, 204);
  const { cells } = await get<CurvesView>('/api/curves');
  const own = cells.filter(({ task }) => task.length === 1);
  assert.deepEqual(own.map(({ task, algorithm, seeds }) => [task, algorithm, ...seeds]).sort(), [
    ['A', 'DDPG (baseline)', 'trail_1'],
    ['A', 'DDPG', 'trail_1'],
    ['B', 'ppo', '1'],
    ['C', 'sac', '3'],
    ['D', 'dqn', '9'],
  ]);
  const [stored] = (await get<CurveData>('/api/curves/data?task=B')).lines;
  assert.deepEqual([stored?.mean, stored?.low, stored?.hasStoredBand], [[3, null], [2, 2], true]);
  const [job] = (await get<CurveData>('/api/curves/data?task=D')).lines;
  assert.deepEqual([job?.x, job?.mean, job?.xName, job?.yName], [[10, 20], [20, 40], 'step', 'reward']);
});
