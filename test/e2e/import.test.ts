import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { HomeValues, HomeView } from '../../src/dashboard/app/home/home-view.ts';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../../src/home/cli/home-index.ts';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import { createServer } from '../../src/server/create-server.ts';
import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1, 3);

function newHome(t: TestContext, definition = 'experiments: {}\n') {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-import-')));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'home');
  fs.mkdirSync(home);
  fs.writeFileSync(join(home, 'nightmark.yml'), definition);
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    fs.mkdirSync(join(file, '..'), { recursive: true });
    fs.writeFileSync(file, content);
    return file;
  };
  const run = (...words: string[]) => runInProcess(['import', '--home', home, ...words]);
  return { folder, home, write, run };
}

const random = seededRandom(11);
const noisy = (value: number) => value * (1 + 0.01 * normalQuantile(Math.max(1e-9, random())));
const commitOf = (number: number) => (number + 1).toString(16).padStart(4, '0').padEnd(40, 'a');

/** A history of 40 nights; the first benchmark takes a fifth longer from night 30 on. */
function dataJs(nights: number): string {
  const entries = Array.from({ length: nights }, (_, night) => ({
    commit: { id: commitOf(night), message: 'step', timestamp: new Date(START).toISOString() },
    date: START + night * DAY,
    tool: 'cargo',
    benches: [
      { name: 'sort', value: fixed(`sort ${night}`, 1000 * (night >= 30 ? 1.2 : 1)), unit: 'ns/iter' },
      { name: 'parse', value: fixed(`parse ${night}`, 500), unit: 'ns/iter' },
    ],
  }));
  const root = { lastUpdate: 1, repoUrl: 'https://github.com/ada/sorter', entries: { Rust: entries } };
  return `window.BENCHMARK_DATA = ${JSON.stringify(root)}`;
}

const drawn = new Map<string, number>();
function fixed(name: string, value: number): number {
  const known = drawn.get(name) ?? noisy(value);
  drawn.set(name, known);
  return known;
}

function hyperfine(factor: number, commands = ['sort', 'cat', 'grep', 'wc', 'cut', 'tr', 'head']): string {
  return JSON.stringify({
    results: commands.map((command) => ({ command, times: [1, 2, 3].map(() => noisy(0.1 * factor)) })),
  });
}

test('the history of a data.js becomes a run for each entry, judged, once', async (t) => {
  const { home, write } = newHome(t);
  const file = write('data.js', dataJs(39));
  const first = await runBinary(['import', file, '--home', home, '--fail-on-regression']);
  assert.equal(first.code, 3, first.stderr);
  assert.match(
    first.stdout,
    /data\.js: 78 read, 0 failed, 0 skipped \(github-action-benchmark, 39 runs\)\n39 runs stored/,
  );
  assert.match(
    first.stdout,
    /1 change:\n {2}\w+ {2}Rust\/sort \+(19|20|21)\.\d % .* worse\n {4}sorter went from/,
  );

  const list = JSON.parse((await runInProcess(['changes', home, '--json'])).stdout) as ChangeList;
  const [change] = list.changes;
  assert.equal(list.changes.length, 1);
  assert.equal(change?.at, START + 30 * DAY);
  assert.match(
    change?.explanation ?? '',
    new RegExp(`from ${commitOf(29).slice(0, 12)} to ${commitOf(30).slice(0, 12)}`),
  );

  write('data.js', dataJs(40));
  const again = await runInProcess(['import', file, '--home', home]);
  assert.match(again.stdout, /1 run stored in .* as Rust; 39 runs were there already\.\n/);
  const third = await runInProcess(['import', file, '--home', home, '--json']);
  const told = JSON.parse(third.stdout) as { files: { runs: { state: string }[] }[]; changes?: unknown };
  assert.deepEqual(new Set(told.files[0]?.runs.map(({ state }) => state)), new Set(['known']));
  assert.equal(told.changes, undefined, 'nothing new is not judged');
  assert.equal(fs.readdirSync(join(home, '.nightmark/runs')).length, 40);
});

test('reindex makes from the files what the import wrote into the index', async (t) => {
  const { home, write, run } = newHome(t);
  const file = write('sort.json', hyperfine(1));
  await run(file, '--commit', commitOf(1), '--machine', 'lab', '--branch', 'main', '--setting', 'threads=4');
  await run(file, '--at', '2026-01-05T03:07:00+01:00', '--experiment', 'tools');
  await run(write('data.js', dataJs(5)));
  const before = await contents(home);
  await runInProcess(['reindex', home]);
  assert.deepEqual(await contents(home), before);
  assert.equal(before.runs.length, 7);
  const tools = before.runs.find(({ order }) => order[0] === 'tools');
  assert.equal(tools?.startedAt, Date.UTC(2026, 0, 5, 2, 7));
  assert.deepEqual([tools?.kind, tools?.origin, tools?.state], ['import', 'imported', 'finished']);
  const trial = before.trials.find(({ task }) => task === 'hyperfine');
  assert.deepEqual(trial?.commits, { source: commitOf(1).slice(0, 12) });
  assert.ok(before.histories.some(([key, unit]) => key === 'hyperfine/sort/threads=4' && unit === 's'));
});

test('an index that was lost in the middle of an import is completed by the next one', async (t) => {
  const { home, write, run } = newHome(t);
  const file = write('data.js', dataJs(3));
  await run(file);
  const before = await contents(home);
  const [id = ''] = fs.readdirSync(join(home, '.nightmark/runs'));
  // As a crash leaves it: no journal of one run, and nothing in the index.
  fs.rmSync(join(home, '.nightmark/runs', id, 'journal.ndjson'));
  for (const name of fs.readdirSync(join(home, '.nightmark')))
    if (name.startsWith('index.db')) fs.rmSync(join(home, '.nightmark', name));
  fs.rmSync(join(home, 'results'), { recursive: true });
  const again = await run(file);
  assert.match(again.stdout, /1 run stored .* 2 runs were there already/);
  assert.deepEqual((await contents(home)).histories, before.histories);
});

test('all benchmarks of an import without a commit that got slower are regressions, not the machine', async (t) => {
  const { write, run } = newHome(t);
  const files = Array.from({ length: 12 }, (_, night) => write(`n${night}.json`, hyperfine(1)));
  for (const [night, file] of files.entries())
    fs.utimesSync(file, START / 1000 + night * 86_400, START / 1000 + night * 86_400);
  assert.equal((await run(...files)).code, 0);
  const slow = await run(write('slow.json', hyperfine(1.3)), '--at', '2026-01-20', '--fail-on-regression');
  assert.equal(slow.code, 3, slow.stdout);
  assert.doesNotMatch(slow.stdout, /machine/);
});

test('nothing is stored when one file of several cannot be read', async (t) => {
  const { home, folder, write, run } = newHome(t);
  const good = write('good.json', hyperfine(1));
  fs.truncateSync(write('big.json', ''), 500 * 1024 * 1024);
  const cases: readonly (readonly [string, string])[] = [
    [write('empty.json', ''), 'IMPORT_UNRECOGNIZED'],
    [write('hello.txt', 'hello\n'), 'IMPORT_UNRECOGNIZED'],
    [write('binary', 'PK\0\u0001\0'), 'IMPORT_BINARY'],
    [join(folder, 'big.json'), 'DISK_TOO_LARGE'],
    [join(folder, 'nothing.json'), 'IMPORT_NO_FILE'],
    [folder, 'IMPORT_FOLDER'],
  ];
  for (const [file, code] of cases) {
    const { code: exit, stderr } = await run(good, file);
    assert.equal(exit, 1);
    assert.match(stderr, new RegExp(`\\[${code}\\]`), file);
  }
  const nan = await run(write('nan.json', '{"a": NaN}'));
  assert.match(nan.stderr, /nan\.json, read as json, has no result that can be used; the first: "a" is NaN/);
  const history = write('data.js', dataJs(2));
  assert.match((await run(history, '--commit', 'abc')).stderr, /--commit is that of one run, but .* has 2\./);
  assert.match((await run(good, '--format', 'hyperfin')).stderr, /Known are: hyperfine/);
  assert.match((await run(good, '--at', 'noon')).stderr, /invalid --at "noon": expected a time/);
  assert.match((await run(good, '--dry-run')).stdout, /1 run would be stored in /);
  assert.deepEqual(
    [fs.existsSync(join(home, '.nightmark')), fs.existsSync(join(home, 'results'))],
    [false, false],
  );
});

test('a results folder of asv is read with its units and names of parameters', async (t) => {
  const { home, write, folder, run } = newHome(t);
  const about = { param_names: ['n'], params: [['10', '20']], unit: 'seconds', version: 'v1' };
  write('asv/benchmarks.json', JSON.stringify({ 'bench.time_sort': about, version: 2 }));
  write('asv/lab/machine.json', '{"machine": "lab", "version": 1}');
  for (const [index, name] of ['one', 'two'].entries()) {
    const results = {
      'bench.time_sort': [[1 + index, 2 + index], [['10', '20']], index === 0 ? 'v1' : 'v0'],
    };
    const head = {
      commit_hash: commitOf(index),
      env_name: 'py3',
      date: START + index * DAY,
      params: { machine: 'lab' },
    };
    write(
      `asv/lab/${name}-py3.json`,
      JSON.stringify({ ...head, result_columns: ['result', 'params', 'version'], results }),
    );
  }
  const told = await run(join(folder, 'asv/lab/one-py3.json'));
  assert.match(told.stdout, /2 read, 0 failed, 0 skipped \(asv\)/);
  const whole = await run(join(folder, 'asv'));
  assert.match(
    whole.stdout,
    /two-py3\.json: 0 read, 0 failed, 1 skipped \(asv, 0 runs\)\n0 runs stored .*; 1 run was there/,
  );
  const keys = (await contents(home)).histories.map(([key]) => key);
  assert.deepEqual(keys, [
    'asv/bench/time_sort/env=py3/machine=lab/n=10',
    'asv/bench/time_sort/env=py3/machine=lab/n=20',
  ]);
});

test('runs of another branch are left out, and commits are filed under the source of the home', async (t) => {
  const source = 'experiments:\n  py:\n    run: "true"\n    sources: [{name: engine, git: /nowhere}]\n';
  const { home, write, run } = newHome(t, source);
  const saved = (branch: string, id: string) =>
    JSON.stringify({
      machine_info: { node: 'lab' },
      commit_info: { id, branch, project: 'sorter' },
      benchmarks: [{ fullname: 'test_a.py::test_a', stats: { data: [1, 2, 3] } }],
      datetime: '2026-01-05T03:07:00',
    });
  const main = await run(
    write('main.json', saved('main', commitOf(1))),
    '--branch',
    'main',
    '--experiment',
    'py',
  );
  assert.equal(main.code, 0, main.stderr);
  const other = await run(write('other.json', saved('topic', commitOf(2))), '--branch', 'main');
  assert.match(other.stderr, /the first: a run of branch topic/);
  const { trials, runs } = await contents(home);
  assert.deepEqual(
    trials.map(({ commits }) => commits),
    [{ engine: commitOf(1).slice(0, 12) }],
  );
  assert.equal(runs[0]?.startedAt, Date.UTC(2026, 0, 5, 3, 7));
});

test('the page of a home that only imports shows its imports', async (t) => {
  const { home, write, run } = newHome(t);
  await run(write('data.js', dataJs(40)));
  const index = watchIndex(home);
  const effects = { disk: localDisk, clock: { now: () => START + 41 * DAY }, index, report: () => undefined };
  const app = createServer({ home, isLoopback: true }, effects);
  t.after(async () => {
    await app.close();
    index.close();
  });
  const ask = async (address: string) =>
    (await app.inject({ url: `/api/${address}`, headers: { host: 'localhost' } })).json();
  const view = (await ask('home')) as HomeView;
  assert.deepEqual([view.last?.kind, view.last?.origin, view.nights.length], ['import', 'imported', 40]);
  assert.deepEqual([view.last?.experiments.succeeded, view.last?.experiments.total], [1, 1]);
  const { values } = (await ask('home/values/0')) as HomeValues;
  assert.equal(values[0]?.spark.length, 30);
  assert.ok(values[0]?.spark.every((value) => value !== null));
  assert.ok(
    view.changes.some(
      ({ direction, series }) => direction === 'worse' && JSON.stringify(series).includes('Rust'),
    ),
  );
});

/** What the index knows, in a comparable form. */
async function contents(home: string) {
  const store = await openSqliteStore(join(home, '.nightmark/index.db'), { readOnly: true });
  try {
    const runs = await store.latestRuns({ limit: 100 });
    const trials = await store.trialsOf(runs.map(({ id }) => id));
    const samples = await Promise.all(trials.map(({ runId, task }) => store.samplesOf(runId, task)));
    const machines = await Promise.all(runs.map(({ machineId }) => store.machine(machineId ?? '')));
    const histories = [];
    for (const { id, experiment, path, unit, better } of await store.series({ limit: 1000 })) {
      const { times, values, runIds } = await store.history(id, { limit: 100 });
      histories.push([
        [experiment, ...path].join('/'),
        unit,
        better,
        [...times],
        [...values],
        runIds,
      ] as const);
    }
    return { runs, trials, samples, machines, histories: histories.sort((a, b) => (a[0] < b[0] ? -1 : 1)) };
  } finally {
    store.close();
  }
}
