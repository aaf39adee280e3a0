import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { addExperiment, makeScriptHome, SCRIPTS } from '../support/script-home.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** Everything the index knows, in a comparable form. */
async function contents(home: string): Promise<unknown> {
  const store = await openSqliteStore(join(home, '.nightmark/index.db'), { readOnly: true });
  try {
    const runs = await store.latestRuns({ limit: 100 });
    const series = await store.series({ limit: 1000 });
    const histories = [];
    for (const { id, experiment, path, unit, better } of series) {
      const { times, values, runIds } = await store.history(id, { limit: 100 });
      histories.push({
        key: [experiment, ...path].join('/'),
        unit,
        better,
        times: [...times],
        values: [...values],
        runIds,
      });
    }
    const perRun = [];
    for (const { id } of runs) {
      const points = (await store.pointsOf(id)).map(({ times, values, ...rest }) => ({
        ...rest,
        times: times.length,
        values: [...values],
      }));
      perRun.push({
        trials: await store.trialsOf([id]),
        stages: await store.stagesOf(id),
        points: points.sort(byName),
      });
    }
    const machines = await Promise.all(runs.map(({ machineId }) => store.machine(machineId ?? '')));
    return { runs, histories: histories.sort((a, b) => (a.key < b.key ? -1 : 1)), perRun, machines };
  } finally {
    store.close();
  }
}

const byName = (a: { name: string; tags: object }, b: { name: string; tags: object }) =>
  JSON.stringify([a.name, a.tags]) < JSON.stringify([b.name, b.tags]) ? -1 : 1;

test('an index rebuilt from files holds what the nights wrote into it', async () => {
  const home = makeScriptHome(['alpha', 'beta'], SCRIPTS, { telemetry_rate: 0.2 });
  folders.push(home);
  const failing = { ...SCRIPTS, 'run.sh': '#!/bin/sh\necho trouble\nexit 1\n' };
  addExperiment(home, 'broken', failing, { title: 'A broken one' });
  addExperiment(home, 'idle', SCRIPTS, { active: false });
  addExperiment(home, 'warm', SCRIPTS, { run_cpu_telemetry: true });
  for (let night = 0; night < 2; night++) assert.equal((await runInProcess(['run', home])).code, 4);
  const live = await contents(home);
  assert.equal((live as { runs: unknown[] }).runs.length, 2);

  for (const suffix of ['', '-wal', '-shm'])
    fs.rmSync(join(home, `.nightmark/index.db${suffix}`), { force: true });
  const reindexed = await runBinary(['reindex', home]);
  assert.equal(reindexed.code, 0, reindexed.stderr);
  assert.deepEqual(await contents(home), live);
  assert.equal((await runBinary(['reindex', home])).code, 0);
  assert.deepEqual(await contents(home), live);
});

test('an inline experiment keeps its samples, units and directions', async () => {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-inline-')));
  folders.push(home);
  const times = `echo '{"results": [{"command": "sort", "times": [0.5, 0.25, 0.75], "exit_codes": [0, 0, 0]}]}'`;
  fs.writeFileSync(join(home, 'nightmark.yml'), `experiments:\n  sort:\n    run: |\n      ${times}\n`);
  const ran = await runBinary(['run', home]);
  assert.equal(ran.code, 0, ran.stderr);
  const live = await contents(home);
  const { histories } = live as {
    histories: { key: string; unit: string; better: string; values: number[] }[];
  };
  const sort = histories.find(({ key }) => key === 'sort/sort');
  assert.deepEqual([sort?.unit, sort?.better, sort?.values], ['s', 'lower', [0.5]]);
  const summary = JSON.parse(
    fs.readFileSync(join(home, 'results/experiments/summary/sort/summary.json'), 'utf8'),
  ) as object;
  assert.deepEqual(summary, { title: 'sort', value: 'sort: 500 ms\n' });
  assert.equal((await runBinary(['reindex', home])).code, 0);
  assert.deepEqual(await contents(home), live);
});
