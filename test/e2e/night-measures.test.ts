import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { runInProcess } from '../support/in-process.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

function makeHome(experiments: object, more: object = {}): string {
  const home = fs.mkdtempSync(join(tmpdir(), 'nightmark-night-measures-'));
  folders.push(home);
  const definition = { project: 'measures', defaults: { telemetry: false, ...more }, experiments };
  fs.writeFileSync(join(home, 'nightmark.yml'), JSON.stringify(definition));
  return home;
}

interface Found {
  readonly unit: string;
  readonly better: string;
  readonly values: readonly number[];
}

async function series(home: string): Promise<ReadonlyMap<string, Found>> {
  const store = await openSqliteStore(join(home, '.nightmark/index.db'), { readOnly: true });
  try {
    const found = new Map<string, Found>();
    for (const { id, experiment, path, unit, better } of await store.series({ limit: 100 })) {
      if (path[0] === 'detailed') continue;
      const { values } = await store.history(id, { limit: 10 });
      found.set([experiment, ...path].join('/'), { unit, better, values: [...values] });
    }
    return found;
  } finally {
    store.close();
  }
}

/** The newest number of a series. */
const newest = (found: ReadonlyMap<string, Found>, name: string) =>
  found.get(name)?.values.at(-1) ?? assert.fail(`there is no ${name}: ${[...found.keys()].join(', ')}`);
const busy = "awk 'BEGIN { for (i = 0; i < 1500000; i++) s += i }'";
const isLinux = { skip: process.platform !== 'linux' && 'CPU time of commands is that of Linux' };

test(
  'what is measured of a command is a series beside its results, which keep their names',
  isLinux,
  async () => {
    const home = makeHome({
      plain: { run: 'echo \'{"seconds": 1.5}\'', results: { unit: 's' } },
      sort: { run: `${busy}; echo '{"seconds": 1.5}'`, results: { unit: 's' }, measure: ['wall', 'cpu'] },
    });
    const { code, stderr } = await runInProcess(['run', home]);
    assert.equal(code, 0, stderr);
    const found = await series(home);
    assert.deepEqual([...found.keys()].sort(), [
      'plain/seconds',
      'sort/command/cpu',
      'sort/command/wall',
      'sort/seconds',
    ]);
    assert.equal(newest(found, 'sort/seconds'), newest(found, 'plain/seconds'));
    for (const name of ['sort/command/cpu', 'sort/command/wall']) {
      assert.deepEqual([found.get(name)?.unit, found.get(name)?.better], ['s', 'lower']);
      assert.ok(newest(found, name) > 0.01 && newest(found, name) < 60, `${newest(found, name)}`);
    }
    // Written once, and the same after the index was made anew.
    const [file = ''] = fs.readdirSync(join(home, 'results/experiments/data/sort'));
    const data = JSON.parse(fs.readFileSync(join(home, 'results/experiments/data/sort', file), 'utf8'));
    assert.equal(data.command.cpu, newest(found, 'sort/command/cpu'));
    assert.equal((await runInProcess(['reindex', home])).code, 0);
    assert.deepEqual(await series(home), found);
  },
);

test(
  'a command without results is measured by itself; one that waits has no CPU time for it',
  isLinux,
  async () => {
    const home = makeHome(
      { build: 'echo compiling; sleep 0.4', silent: 'sleep 0.4' },
      { measure: ['wall', 'cpu', 'instructions'] },
    );
    const { code, stderr } = await runInProcess(['run', home]);
    assert.equal(code, 0, stderr);
    const found = await series(home);
    for (const name of ['build', 'silent']) {
      assert.ok(newest(found, `${name}/command/wall`) >= 0.4);
      assert.ok(newest(found, `${name}/command/cpu`) < 0.3);
    }
  },
);

test(
  'what cannot be measured is named in the status of the analysis, once, and is no failure',
  isLinux,
  async () => {
    const bin = fs.mkdtempSync(join(tmpdir(), 'nightmark-no-perf-'));
    folders.push(bin);
    fs.writeFileSync(join(bin, 'perf'), '#!/bin/sh\necho "perf_event_paranoid setting" >&2; exit 255\n');
    fs.chmodSync(join(bin, 'perf'), 0o755);
    const home = makeHome(
      { point: { run: 'sleep 0.0{n}', matrix: { n: [1, 2] }, measure: ['cpu', 'instructions', 'cycles'] } },
      { env: { PATH: `${bin}:${process.env['PATH']}` } },
    );
    const { code, stderr } = await runInProcess(['run', home]);
    assert.equal(code, 0, stderr);
    const status = fs.readFileSync(join(home, 'results/experiments/status/point/analysis.json'), 'utf8');
    const { success, message } = JSON.parse(status);
    assert.equal(success, true);
    assert.match(message, /^Instructions and cycles: not available here: the kernel does not permit it/);
    assert.equal(message.match(/not available here/g).length, 1);
    assert.deepEqual([...(await series(home)).keys()].sort(), [
      'point/command/n=1/cpu',
      'point/command/n=2/cpu',
    ]);
  },
);

test('the exit of a measured command is its own, and a failure has no series', isLinux, async () => {
  const home = makeHome({ broken: { run: 'echo oops >&2; exit 3', measure: 'cpu' } });
  const { code } = await runInProcess(['run', home]);
  assert.equal(code, 4);
  const status = JSON.parse(
    fs.readFileSync(join(home, 'results/experiments/status/broken/run.json'), 'utf8'),
  );
  assert.match(status.message, /exit code 3:\noops/);
});

test('measure goes with a command whose results Nightmark reads', async () => {
  const home = makeHome({
    own: { run: 'true', analyze: 'true', measure: 'cpu' },
    odd: { run: 'true', measure: 'speed' },
  });
  const { stdout, stderr } = await runInProcess(['check', home]);
  assert.match(
    `${stdout}${stderr}`,
    /experiments\.own: measure: with "analyze" the data file is that of your command/,
  );
  assert.match(
    `${stdout}${stderr}`,
    /experiments\.odd\.measure: expected wall, cpu, instructions, cycles or cache-misses/,
  );
});
