import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const DAY_MS = 86_400_000;
const random = seededRandom(11);
const noisy = (value: number) => value * (1 + 0.01 * (random() + random() - 1));

interface Batch {
  readonly at: number;
  readonly slower: number;
  readonly models: number;
  readonly facts: object;
}

function newHome(t: TestContext) {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-kpi-machine-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  const home = join(dir, 'home');
  fs.mkdirSync(home);
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `backups: {before: false, after: false}
experiments:
  sort:
    run: cat values
    telemetry: false
    results: {format: json, value: [a, b, c], unit: s, better: lower}
`,
  );
  let tests = 0;
  /** Documents of one batch of tests, a minute apart, as another program left them. */
  const importBatches = async (batches: readonly Batch[]) => {
    const docs = fs.mkdtempSync(join(dir, 'docs-'));
    fs.writeFileSync(join(docs, 'source.lts.yaml'), 'index: "tiny"\n');
    for (const { at, slower, models, facts } of batches)
      for (let model = 0; model < models; model++) {
        const id = `00000000-0000-4000-8000-${String(tests++).padStart(12, '0')}`;
        const text = JSON.stringify(documentOf(id, at + model * 60_000, { model, slower, facts }));
        fs.writeFileSync(join(docs, `tiny_${id}.json`), text);
      }
    return runInProcess(['matrix', 'import', '--from', `files:${docs}`, '--store', home], { cwd: dir });
  };
  const list = async (...options: readonly string[]) => {
    const { stdout, code, stderr } = await runInProcess(['changes', home, '--json', ...options], {
      cwd: dir,
    });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as ChangeList;
  };
  return { dir, home, importBatches, list };
}

function documentOf(
  id: string,
  at: number,
  { model, slower, facts }: { readonly model: number; readonly slower: number; readonly facts: object },
): object {
  const start = new Date(at).toISOString();
  const settings = { model: `m${model}` };
  const kpi = (unit: string, lower: boolean, value: number) => {
    return { help: 'x', unit, lower_better: lower, ...settings, '@timestamp': start, test_uuid: id, value };
  };
  return {
    metadata: { start, end: start, test_uuid: id, settings, exit_code: 0, ...facts },
    results: {},
    kpis: {
      latency: kpi('ms', true, noisy((10 + model) * slower)),
      throughput: kpi('req/s', false, noisy(100 / slower)),
    },
  };
}

const past = (models: number, facts: object): readonly Batch[] =>
  Array.from({ length: 15 }, (_, day) => ({
    at: Date.now() - (15 - day) * DAY_MS,
    slower: 1,
    models,
    facts,
  }));
const summaryOf = ({ openRegressions, openMachineEvents, changes }: ChangeList) => [
  openRegressions,
  openMachineEvents,
  changes.length,
];

test('KPIs of a machine that is slower are one event; without a machine, or with a new image, they are not', async (t) => {
  for (const [before, after, expected] of [
    [{ machine: 'bench-1', image: 'app:1' }, { machine: 'bench-1', image: 'app:1' }, [0, 1, 1]],
    [{ image: 'app:1' }, { image: 'app:1' }, [8, 0, 8]],
    [{ machine: 'bench-1', image: 'app:1' }, { machine: 'bench-1', image: 'app:2' }, [8, 0, 8]],
  ] as const) {
    const { importBatches, list } = newHome(t);
    await importBatches(past(4, before));
    const told = await importBatches([{ at: Date.now(), slower: 1.14, models: 4, facts: after }]);
    const found = await list();
    assert.deepEqual(summaryOf(found), expected, told.stderr);
    assert.match(told.stderr, expected[1] === 1 ? /machine bench-1 \(speed\) \+1[34]/ : /8 changes:/);
    const here = await list('--machine', 'bench-1', '--direction', 'worse');
    assert.equal(here.changes.length, 'machine' in after ? expected[2] : 0);
    assert.equal((await list('--direction', 'better')).hidden.direction, expected[2]);
    assert.equal((await list('--machine', 'other')).hidden.machine, expected[2]);
  }
});

test('a night and tests of the same machine that moved together are one event', async (t) => {
  const { home, importBatches, list } = newHome(t);
  const data = join(home, 'results/experiments/data/sort');
  fs.mkdirSync(data, { recursive: true });
  const values = (slower: number) =>
    JSON.stringify({ a: noisy(slower), b: noisy(2 * slower), c: noisy(3 * slower) });
  for (let day = 1; day <= 15; day++) {
    const [year, month, date] = new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10).split('-');
    fs.writeFileSync(join(data, `data_${month}-${date}-${year}-0300.json`), values(1));
  }
  const machine = { machine: hostname() };
  await importBatches(past(2, machine));
  fs.writeFileSync(join(home, 'values'), values(1.14));
  await runBinary(['run', home, '--progress', 'none']);
  assert.deepEqual(summaryOf(await list()), [3, 0, 3], 'three measurements are too few');
  await importBatches([{ at: Date.now(), slower: 1.14, models: 2, facts: machine }]);
  const together = await list();
  assert.deepEqual(summaryOf(together), [0, 1, 1]);
  assert.equal(together.changes[0]?.moved, 7);
});

test('a matrix run keeps its KPIs in a home, with their machine, and judges them', async (t) => {
  const { dir, home } = newHome(t);
  const result = '{"seconds": {level}, "start": "2026-01-02T03:04:05Z", "end": "2026-01-02T03:04:06Z"}';
  fs.writeFileSync(
    join(dir, 'm.yml'),
    'matrix: {level: [1, 2]}\nrun: bash "$NIGHTMARK_MATRIX_DIR/t.sh" {level}\n',
  );
  fs.writeFileSync(join(dir, 't.sh'), `echo '${result.replace('{level}', `'$1'`)}' > result.json\n`);
  fs.writeFileSync(
    join(dir, 'w.yml'),
    `name: speed
fields:
  seconds: {file: result.json, json: $.seconds, type: number, unit: s}
  start: {file: result.json, json: $.start, type: time}
  end: {file: result.json, json: $.end, type: time}
labels: {level: {type: integer}}
kpis: {run_time: {value: seconds, help: Time, unit: s, better: lower}}
`,
  );
  const words = ['matrix', 'run', 'm.yml', '--results', 'out'];
  const alone = await runInProcess([...words, '--store', home], { cwd: dir });
  assert.deepEqual([alone.code, fs.existsSync(join(dir, 'out'))], [1, false], alone.stderr);
  const keeping = [...words, '--store', home, '--workload', 'w.yml'];
  const { code, stderr } = await runInProcess(keeping, { cwd: dir });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /2 payloads stored in /);
  const files = fs.readdirSync(home, { recursive: true, encoding: 'utf8' });
  const kept = files.filter((file) => /speed_.*\.json$/.test(file));
  const documents = kept.map((file) => JSON.parse(fs.readFileSync(join(home, file), 'utf8')));
  assert.deepEqual(documents.map(({ metadata, kpis }) => [metadata.machine, kpis.run_time.value]).sort(), [
    [hostname(), 1],
    [hostname(), 2],
  ]);
  assert.match(
    fs.readFileSync(join(home, '.nightmark/changes.ndjson'), 'utf8'),
    /"type":"judged".*"series":2,/,
  );
  const again = await runInProcess(keeping, { cwd: dir });
  assert.deepEqual([again.code, /stored in/.test(again.stderr)], [0, false], 'nothing was executed');
});
