import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Shift } from '../../src/home/core/changes/change.ts';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1, 3);

function newFolder(t: TestContext) {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-directions-')));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: unknown, at?: number) => {
    const file = join(folder, name);
    fs.mkdirSync(join(file, '..'), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    if (at !== undefined) fs.utimesSync(file, at / 1000, at / 1000);
    return file;
  };
  return { folder, write };
}

function noise(seed: number): () => number {
  const random = seededRandom(seed);
  return () => 1 + 0.01 * normalQuantile(Math.max(1e-9, random()));
}

/** A home of the nightly dashboard with 25 nights; from night 20 on everything takes half as much again. */
function dashboardHome(
  t: TestContext,
  data: (value: number, night: number) => object,
  slow = (night: number) => night >= 20,
): string {
  const { folder, write } = newFolder(t);
  write('config.json', { tmp_data_dir: './tmp', backup_dir: './backup', setup_dir: './setup' });
  write('config/experiments/sort/config.json', { active: true });
  const draw = noise(5);
  for (let night = 0; night < 25; night++) {
    const [year, month, day] = new Date(START + night * DAY).toISOString().slice(0, 10).split('-');
    const value = draw() * (slow(night) ? 1.5 : 1);
    write(`results/experiments/data/sort/data_${month}-${day}-${year}-0300.json`, data(value, night));
  }
  return folder;
}

const changesOf = async (home: string) => {
  const { stdout } = await runInProcess(['changes', home, '--json']);
  return (JSON.parse(stdout) as { changes: { id: string; runId: string }[] }).changes;
};

test('a dashboard home with seconds that grew by half fails its gate, at the right night', async (t) => {
  const home = dashboardHome(t, (seconds) => ({ seconds: { quick: seconds } }));
  const { code, stdout } = await runBinary(['changes', home, '--fail-on-regression']);
  assert.equal(code, 3, stdout);
  assert.match(stdout, /1 open regression/);
  assert.match(stdout, /2026-01-21 .*sort\/seconds\/quick .*\+\d\d\.\d % .* worse \(inferred\)/);
  const compared = await runInProcess(['compare', 'latest~10', 'latest', '--home', home]);
  assert.equal(compared.code, 3, compared.stdout);
  const id = (await changesOf(home))[0]?.id ?? '';
  const shown = await runInProcess(['changes', 'show', id, '--home', home]);
  assert.match(shown.stdout, /lower is better \(inferred\)/);
});

test('a dashboard home with a revert and a return names the commit of each, and fails its gate', async (t) => {
  const hashOf = (night: number) => `${String(night).padStart(2, '0')}c0ffee`;
  const home = dashboardHome(
    t,
    (seconds, night) => ({ tvm_hash: hashOf(night), seconds: { quick: seconds } }),
    (night) => (night >= 10 && night < 15) || night >= 20,
  );
  const gate = await runInProcess(['changes', home, '--fail-on-regression', '--json']);
  assert.equal(gate.code, 3, gate.stderr);
  const { changes } = JSON.parse(gate.stdout) as ChangeList;
  assert.deepEqual(
    changes
      .toReversed()
      .map(({ direction, betterFrom, returns, returnedCommit, sources }) => [
        [direction, betterFrom, returns?.kind, returnedCommit],
        sources?.map(({ before, after }) => [before, after]),
      ]),
    [
      [['worse', 'inferred', undefined, undefined], [[hashOf(9), hashOf(10)]]],
      [['better', 'inferred', 'back', hashOf(9)], [[hashOf(14), hashOf(15)]]],
      [['worse', 'inferred', 'again', hashOf(10)], [[hashOf(19), hashOf(20)]]],
    ],
  );
});

test('a gate says what it cannot judge, and one command tells it', async (t) => {
  const home = dashboardHome(t, (value) => ({ cpu: { Aot: value } }));
  const gate = (...more: string[]) => runInProcess(['changes', home, '--fail-on-regression', ...more]);
  const unknown = await runBinary(['changes', home, '--fail-on-regression']);
  assert.equal(unknown.code, 2, unknown.stdout);
  assert.match(
    unknown.stderr,
    /1 series changed, and it is unknown which direction is good:\n {2}sort\/cpu\/Aot/,
  );
  assert.match(unknown.stderr, /nightmark directions \S+ sort\/cpu\/Aot lower\|higher\|none/);
  assert.equal((await gate('--allow-unknown')).code, 0);
  const asJson = JSON.parse((await gate('--json')).stdout) as { gate: object };
  assert.deepEqual(asJson.gate, { state: 'unknown', regressions: [], unknown: ['sort/cpu/Aot'] });
  const compare = (...more: string[]) =>
    runInProcess(['compare', 'latest~10', 'latest', '--home', home, ...more]);
  assert.equal((await compare()).code, 2);
  assert.equal((await compare('--allow-unknown')).code, 0);

  const declared = await runInProcess(['directions', home, 'cpu/*', 'lower']);
  assert.equal(declared.code, 0, declared.stderr);
  assert.match(declared.stdout, /cpu\/\*: lower \(1 series\), written to .*config\/directions\.yml/);
  assert.match(declared.stderr, /1 known change has another direction now: 1 worse/);
  assert.equal(fs.readFileSync(join(home, 'config/directions.yml'), 'utf8'), '"cpu/*": lower\n');
  assert.equal((await gate()).code, 3);
  assert.equal((await compare()).code, 3);
  const id = (await changesOf(home))[0]?.id ?? '';
  const history = async () => (await runInProcess(['changes', 'show', id, '--home', home])).stdout;
  assert.match(await history(), /direction: lower is better, so it is worse/);

  fs.writeFileSync(join(home, 'config/directions.yml'), '# counts\ncpu/*: none\n');
  assert.equal((await gate()).code, 0, 'none is on purpose');
  assert.equal((await compare()).code, 0);
  assert.match(await history(), /direction: no direction \(declared\)/);
  const listed = await runInProcess(['directions', home, '--json']);
  const { series } = JSON.parse(listed.stdout) as { series: object[] };
  assert.deepEqual(series, [{ series: 'sort/cpu/Aot', unit: '', direction: 'none', from: 'declared' }]);
  await runInProcess(['reindex', home]);
  assert.equal((await gate()).code, 0, 'also of an index that was rebuilt');
});

test('directions are declared in nightmark.yml without touching anything else', async (t) => {
  const { folder: home, write } = newFolder(t);
  const definition =
    'project: p # mine\n\n# what is measured\nexperiments:\n  a: { run: "true", directions: { x: none } }\n';
  write('nightmark.yml', definition);
  const first = await runInProcess(['directions', "it's/*", 'higher'], { cwd: home });
  assert.equal(first.code, 0, first.stderr);
  assert.equal(
    fs.readFileSync(join(home, 'nightmark.yml'), 'utf8'),
    `${definition}directions:\n  "it's/*": higher\n`,
  );
  assert.equal((await runInProcess(['check', home])).code, 0);
  const bad = await runInProcess(['directions', home, 'a', 'up']);
  assert.deepEqual([bad.code, /Invalid direction: "up"/.test(bad.stderr)], [1, true]);
  await runInProcess(['directions', home, "it's/*", 'unset']);
  assert.equal((await runInProcess(['check', home])).code, 0);
});

/** A summary as "k6 run --summary-export" writes it. */
function k6(duration: number, rate: number) {
  const trend = {
    avg: duration,
    min: duration / 2,
    med: duration * 0.9,
    max: duration * 3,
    'p(95)': duration * 2,
  };
  return {
    root_group: { name: '', path: '', groups: {}, checks: {} },
    metrics: {
      http_req_duration: trend,
      http_reqs: { count: rate * 30, rate },
      http_req_failed: { passes: 0, fails: rate * 30, value: 0 },
      iterations: { count: rate * 30, rate },
      vus: { value: 10, min: 10, max: 10 },
    },
  };
}

test('imported k6 files with twice the latency and half the rate fail the gate', async (t) => {
  const { folder, write } = newFolder(t);
  write('home/nightmark.yml', 'experiments: {}\n');
  const draw = noise(7);
  const files = Array.from({ length: 13 }, (_, night) => {
    const slow = night === 12 ? 2 : 1;
    const content = k6(120 * slow * draw(), (80 / slow) * draw());
    return write(`k6h/night-${String(night).padStart(2, '0')}.json`, content, START + night * DAY);
  });
  const home = join(folder, 'home');
  const before = await runInProcess([
    'import',
    ...files.slice(0, 12),
    '--home',
    home,
    '--fail-on-regression',
  ]);
  assert.equal(before.code, 0, before.stdout + before.stderr);
  assert.match(before.stdout, /12 runs stored in .* as k6\./);
  const last = ['import', files[12] ?? '', '--home', home, '--fail-on-regression'];
  const after = await runBinary(last);
  assert.equal(after.code, 3, after.stdout + after.stderr);
  assert.match(after.stdout, /k6\/http_req_duration\/avg \+\d+(\.\d)? % .* worse(?! \(inferred)/);
  assert.match(after.stdout, /k6\/http_reqs\/rate -\d+\.\d % .* worse(?! \(inferred)/);
  const again = await runInProcess(last);
  assert.equal(again.code, 3, 'a gate that is asked again gives the same answer');
  assert.match(again.stdout, /has the same results, time and commit/);
});

test('what is only probably worse by more than min-effect fails a gate that asks for it', async (t) => {
  const { folder, write } = newFolder(t);
  const definition = write('home/nightmark.yml', 'experiments: {}\n');
  const home = join(folder, 'home');
  const draw = noise(9);
  const files = Array.from({ length: 24 }, (_, night) => {
    // Without its groups it is any JSON file, whose directions are inferred.
    const { metrics } = k6(120 * (night >= 18 ? 1.1 : 1) * draw(), 80);
    return write(`k6h/night-${String(night).padStart(2, '0')}.json`, { metrics }, START + night * DAY);
  });
  const gated = (...args: string[]) => runInProcess([...args, '--fail-on-regression']);
  assert.equal((await gated('import', ...files, '--home', home)).code, 3);
  const { stdout } = await runInProcess(['changes', home, '--json']);
  const { changes } = JSON.parse(stdout) as { changes: { shift: Shift }[] };
  const { change, low } = changes[0]?.shift.relative ?? assert.fail(stdout);
  fs.writeFileSync(
    definition,
    `experiments: {}\nregress: {min-effect: ${((100 * (change + low)) / 2).toFixed(2)}%}\n`,
  );
  const now = await gated('changes', home);
  assert.match(now.stderr, /^The rules of the definition changed: \d+ series judged; /);
  assert.match(now.stdout, /\+\d+\.\d+ % .* probably worse \(inferred\)/);
  assert.equal(now.code, 0);
  assert.equal((await gated('changes', home, '--or-likely')).code, 3);
});

test('an import without history does not pass its gate, and says so', async (t) => {
  const { folder, write } = newFolder(t);
  write('home/nightmark.yml', 'experiments: {}\n');
  const file = write('widgets.csv', 'name,widgets\na,3\n', START);
  const run = (...more: string[]) =>
    runInProcess(['import', file, '--home', join(folder, 'home'), '--fail-on-regression', ...more]);
  const first = await run('--json');
  assert.equal(first.code, 2);
  assert.match(first.stderr, /No history: none of 1 series has the 3 earlier values/);
  assert.match((JSON.parse(first.stdout) as { gate: { missing: string } }).gate.missing, /No history/);
});

test('a night with an unknown direction ends with 2, and passes when that is allowed', async (t) => {
  const { folder: home, write } = newFolder(t);
  write(
    'nightmark.yml',
    'experiments:\n  e: { run: "cat $NIGHTMARK_TEST_FILE", results: { format: json } }\n',
  );
  const night = (value: number, ...more: string[]) => {
    const file = write('value.json', { widgets: value });
    return runInProcess(['run', home, '--progress', 'none', '--fail-on-regression', ...more], {
      env: { NIGHTMARK_TEST_FILE: file },
    });
  };
  const draw = noise(3);
  const first = await night(draw());
  assert.equal(first.code, 2);
  assert.match(first.stderr, /No history/);
  for (let i = 0; i < 7; i++) assert.equal((await night(draw(), '--allow-unknown')).code, 0);
  const changed = await night(1.5, '--json');
  assert.equal(changed.code, 2, changed.stdout);
  assert.match(changed.stderr, /\n {2}e\/widgets\n/);
  const { gate } = JSON.parse(changed.stdout) as { gate: { unknown: string[] } };
  assert.deepEqual(gate.unknown, ['e/widgets']);
});

test('a command with the path of a source is one series over all commits, also after reindex', async (t) => {
  const { folder, write } = newFolder(t);
  const repository = join(folder, 'code');
  fs.mkdirSync(repository);
  const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words], { stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'a@example.org');
  git('config', 'user.name', 'a');
  // What hyperfine would write: its command is the path of the checkout.
  write('hyperfine.sh', `printf '{"results":[{"command":"%s -n 3","times":[%s]}]}' "$1" "$(cat "$1")"\n`);
  write(
    'home/nightmark.yml',
    `sources: { code: { git: ${repository} } }\nexperiments:\n  e:\n    source: code\n    run: sh ${folder}/hyperfine.sh "$NIGHTMARK_SOURCE_CODE/bench"\n`,
  );
  const home = join(folder, 'home');
  for (const time of ['0.1', '0.2', '0.3']) {
    write('code/bench', time);
    git('add', '.');
    git('commit', '-qm', time);
    const { code, stdout, stderr } = await runBinary(['run', home, '--progress', 'none']);
    assert.equal(code, 0, stdout + stderr);
  }
  const seriesOf = async () => {
    const { stdout } = await runInProcess(['directions', home, '--json']);
    return (JSON.parse(stdout) as { series: { series: string }[] }).series.map(({ series }) => series);
  };
  assert.deepEqual(await seriesOf(), ['e/code/bench -n 3']);
  const ids = fs.readdirSync(join(home, '.nightmark/runs'));
  assert.equal(ids.length, 3);
  for (const id of ids) {
    const file = join(home, '.nightmark/runs', id, 'samples/e.json');
    const { samples } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
      samples: { benchmark: string[]; original: string }[];
    };
    const original = samples[0]?.original ?? '';
    assert.match(original, /\/cache\/sources\/code\/[0-9a-f]{40}-[0-9a-f]{8}\/bench -n 3$/);
    // As an earlier version would have left it.
    const former = samples.map(({ original: _, ...set }) => ({ ...set, benchmark: [original] }));
    fs.writeFileSync(file, JSON.stringify({ format: 'hyperfine', samples: former }));
    for (const data of fs.readdirSync(join(home, 'results/experiments/data/e'))) {
      const path = join(home, 'results/experiments/data/e', data);
      const text = fs.readFileSync(path, 'utf8');
      const { sources } = JSON.parse(text) as { sources: { code: string } };
      if (original.includes(`/${sources.code}`))
        fs.writeFileSync(path, text.replaceAll('"code/bench -n 3"', JSON.stringify(original)));
    }
  }
  await runInProcess(['reindex', home]);
  assert.deepEqual(await seriesOf(), ['e/code/bench -n 3']);
  const compared = await runInProcess(['compare', 'latest~2', 'latest', '--home', home, '--all', '--json']);
  const { rows } = JSON.parse(compared.stdout) as {
    rows: { base: { value: number }; head: { value: number } }[];
  };
  assert.deepEqual([rows.length, rows[0]?.base.value, rows[0]?.head.value], [1, 0.1, 0.3]);
});

const ESTIMATES = 'src/formats/adapters/criterion/fixtures/group.ok.json';

test('two benchmarks of criterion never mix, named by benchmark.json or by their folders', async (t) => {
  const { folder, write } = newFolder(t);
  write('home/nightmark.yml', 'experiments: {}\n');
  const estimates = fs.readFileSync(ESTIMATES, 'utf8');
  const files = ['sums/fib', 'trees/fib', 'sums/fib/20'].map((name) =>
    write(`criterion/${name}/new/estimates.json`, estimates, START),
  );
  write('criterion/trees/fib/new/benchmark.json', { group_id: 'trees', function_id: 'fib', value_str: null });
  write('criterion/trees/fib/new/sample.json', { iters: [10, 20], times: [100, 240] });
  write('criterion/sums/fib/change/estimates.json', '{}');
  const home = join(folder, 'home');
  const { code, stdout, stderr } = await runBinary(['import', join(folder, 'criterion'), '--home', home]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /3 runs stored in .* as criterion/);
  const listed = await runInProcess(['directions', home, '--json']);
  const { series } = JSON.parse(listed.stdout) as { series: object[] };
  assert.deepEqual(
    series,
    ['sums/fib', 'sums/fib/20', 'trees/fib'].map((name) => ({
      ...{ series: `criterion/${name}`, unit: 's', direction: 'lower', from: 'format' },
    })),
  );
  const again = await runInProcess(['import', ...files, '--home', home]);
  assert.match(again.stdout, /0 runs stored in .*; 3 runs were there already/);
});

test('four garage files are four series, however equal they are', async (t) => {
  const { folder, write } = newFolder(t);
  write('home/nightmark.yml', 'experiments: {}\n');
  const content = fs.readFileSync('src/formats/adapters/garage-auto/fixtures/reacher.ok.json', 'utf8');
  const names = ['HalfCheetah-v2_ppo', 'HalfCheetah-v2_trpo', 'Reacher-v2_ppo', 'Reacher-v2_td3-garage-tf'];
  const files = names.map((name) => write(`auto/${name}.json`, content, START));
  const home = join(folder, 'home');
  const { stdout } = await runBinary(['import', ...files, '--home', home]);
  assert.match(stdout, /4 runs stored/);
  const listed = await runInProcess(['directions', home, '*/final', '--json']);
  const { series } = JSON.parse(listed.stdout) as { series: { series: string }[] };
  assert.deepEqual(
    series.map(({ series: name }) => name),
    names.map((name) => `garage-auto/${name.replace('_', '/')}/Average Return/final`),
  );
});

test('equal results of another night, and of another file, are stored; the same file is not', async (t) => {
  const { folder, write } = newFolder(t);
  write('home/nightmark.yml', 'experiments: {}\n');
  const home = join(folder, 'home');
  const stored = async (...files: string[]) =>
    /(\d+) runs? stored/.exec((await runInProcess(['import', ...files, '--home', home])).stdout)?.[1];
  const file = write('size/size.json', { binary_bytes: 1234 }, START);
  assert.equal(await stored(file), '1');
  assert.equal(await stored(file), '0');
  write('size/size.json', { binary_bytes: 1234 }, START + DAY);
  assert.equal(await stored(file), '1', 'the next night');
  const others = ['a', 'b'].map((name) =>
    write(`${name}/size.json`, { binary_bytes: 1234 }, START + 2 * DAY),
  );
  assert.equal(await stored(...others), '2', 'two files of one time');
  assert.equal(await stored(...others), '0');
});
