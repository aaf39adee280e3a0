import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore as openStore } from '../../home/adapters/store/sqlite-store.ts';
import type { Run, Trial } from '../../home/core/run.ts';
import systemClock from '../../platform/adapters/system-clock.ts';
import { showStatus } from './show-status.ts';

const clock = { ...systemClock, now: () => 10_000 };
const newStore = () => openStore(join(mkdtempSync(join(tmpdir(), 'nightmark-status-')), 'index.db'));
const run = (id: string, startedAt: number, more: Partial<Run> = {}): Run => ({
  id,
  kind: 'night',
  project: 'p',
  label: `label-${id}`,
  state: 'finished',
  startedAt,
  endedAt: startedAt + 500,
  order: ['b', 'a'],
  origin: 'measured',
  warnings: [],
  ...more,
});
const trial = (runId: string, task: string, more: Partial<Trial> = {}): Trial => ({
  runId,
  task,
  kind: 'experiment',
  state: 'succeeded',
  message: '',
  commits: {},
  ...more,
});

test('the newest night comes with its tasks in the order they ran, and the log of what failed', async () => {
  const store = await newStore();
  await store.saveRun(run('r1', 1_000));
  await store.saveRun(run('r2', 2_000, { seed: 42, warnings: ['late'] }));
  await store.saveRun(run('d1', 3_000, { kind: 'duet' }));
  await store.saveTrials([
    trial('r1', 'a'),
    trial('r2', 'a', { state: 'failed', failedStage: 'run', message: 'broke', durationMs: 7 }),
    trial('r2', 'b', { title: 'Bee' }),
    trial('r2', 'off', { state: 'inactive' }),
    trial('r2', 'site', { kind: 'subsystem' }),
  ]);
  const stage = {
    kind: 'experiment',
    success: false,
    message: '',
    extra: {},
    startedAt: 1,
    durationMs: 1,
  } as const;
  await store.saveStages('r2', [
    { ...stage, task: 'a', stage: 'run', attempts: 1, log: 'logs/a/run.log' },
    { ...stage, task: 'a', stage: 'setup', attempts: 1, log: 'logs/a/setup.log' },
  ]);
  const status = await showStatus({ home: '/h', nights: 14, isHeld: false }, { store, clock });
  assert.equal(status.runs, 3);
  assert.deepEqual(
    status.nights.map(({ id, durationMs, experiments }) => [
      id,
      durationMs,
      experiments.succeeded,
      experiments.total,
    ]),
    [
      ['r2', 500, 1, 2],
      ['r1', 500, 1, 1],
    ],
  );
  assert.equal(status.last?.seed, 42);
  assert.deepEqual(status.last?.warnings, ['late']);
  assert.deepEqual(status.last?.tasks, [
    { task: 'b', kind: 'experiment', title: 'Bee', state: 'succeeded', message: '' },
    {
      task: 'a',
      kind: 'experiment',
      state: 'failed',
      failedStage: 'run',
      message: 'broke',
      durationMs: 7,
      log: 'logs/a/run.log',
    },
    { task: 'off', kind: 'experiment', state: 'inactive', message: '' },
    { task: 'site', kind: 'subsystem', state: 'succeeded', message: '' },
  ]);
  store.close();
});

test('a night that says running is running only while somebody holds the lock', async () => {
  const store = await newStore();
  const { endedAt: _, ...running } = run('r2', 4_000, { state: 'running' });
  await store.saveRun({ ...running, id: 'r1', startedAt: 1_000 });
  await store.saveRun(running);
  const states = async (isHeld: boolean) =>
    (await showStatus({ home: '/h', nights: 14, isHeld }, { store, clock })).nights.map((night) => [
      night.state,
      night.durationMs,
    ]);
  assert.deepEqual(await states(true), [
    ['running', 6_000],
    ['interrupted', undefined],
  ]);
  assert.deepEqual(await states(false), [
    ['interrupted', undefined],
    ['interrupted', undefined],
  ]);
  store.close();
});

test('an empty index has no last night, and no more nights are given than asked for', async () => {
  const store = await newStore();
  const ask = (nights: number) => showStatus({ home: '/h', nights, isHeld: false }, { store, clock });
  assert.deepEqual(await ask(14), { home: '/h', runs: 0, nights: [] });
  for (let index = 0; index < 5; index++) await store.saveRun(run(`r${index}`, index));
  assert.deepEqual(
    (await ask(2)).nights.map(({ id }) => id),
    ['r4', 'r3'],
  );
  const none = await ask(0);
  assert.deepEqual(none.nights, []);
  assert.equal(none.last?.id, 'r4');
  store.close();
});
