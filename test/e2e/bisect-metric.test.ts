import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runInProcess } from '../support/in-process.ts';

interface Found {
  readonly state: string;
  readonly metric: { name: string; unit: string; better: string };
  readonly culprits: readonly { subject: string }[];
  readonly effect: { ratio: number; low: number; high: number };
  readonly skipped: readonly { reason: string }[];
}

const RATE_FALLS = 5;
const SIZE_GROWS = 2;
const SILENT = 4;

/** Eight commits of a program that reports a rate, which falls at one of them, and a size, which grows at another. */
function newHome(t: TestContext) {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-metric-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const [home, dir] = [join(base, 'home'), join(base, 'repository')];
  for (const folder of [home, dir, join(home, 'experiments/scripts')])
    fs.mkdirSync(folder, { recursive: true });
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, ...author, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  const commits = Array.from({ length: 8 }, (_, at) => {
    const [rate, size] = [at >= RATE_FALLS ? 80 : 100, at >= SIZE_GROWS ? 1.5 : 1];
    const print = `printf "{\\"rate\\": %f, \\"size\\": %f}", ${rate} * noise, ${size} * noise`;
    fs.writeFileSync(
      join(dir, 'work.awk'),
      `BEGIN { srand(seed); noise = (rates ? rates : 1) * (1 + rand() / 100); ${at === SILENT ? '' : print} } # ${at}\n`,
    );
    git('add', '-A');
    git('commit', '-qm', `Change ${at}`);
    return git('rev-parse', 'HEAD');
  });
  const awk = 'awk -v seed=$$ -f "$NIGHTMARK_SOURCE_WORK/work.awk"';
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `sources:
  work: {git: ${JSON.stringify(dir)}}
experiments:
  rate:
    source: work
    run: ${awk}
    results: {format: json, value: rate, unit: op/s, better: higher}
  both:
    source: work
    run: ${awk} >{out}/raw.json
    analyze: cp {raw}/raw.json {out}/data.json
  grid:
    source: work
    run: test -f {out}/settings.yaml && ${awk} -v rates={rates}
    results: {format: json, value: rate}
    matrix: {rates: [1, 2]}
`,
  );
  const bisect = (experiment: string, ...options: string[]) =>
    runInProcess([
      ...['bisect', experiment, '--home', home, '--good', (commits[0] ?? '').slice(0, 12), '--bad', 'main'],
      ...['--seed', '5', '--certainty', '99.9%', ...options],
    ]);
  return { home, commits, bisect };
}

test('the only metric of an experiment is compared, and a commit without a value is skipped', async (t) => {
  const { home, bisect } = newHome(t);
  const { code, stdout, stderr } = await bisect('rate', '--json');
  assert.equal(code, 0, stderr);
  const found = JSON.parse(stdout) as Found;
  assert.deepEqual(found.metric, { name: 'rate', unit: 'op/s', better: 'higher' });
  assert.ok(found.effect.low > 0.79 && found.effect.high < 0.81, stdout);
  const names = found.culprits.map(({ subject }) => subject);
  assert.deepEqual(
    names.filter((name) => name !== `Change ${SILENT}`),
    [`Change ${RATE_FALLS}`],
  );
  assert.deepEqual(found.skipped.length, 1, 'the commit before the culprit had to be tried');
  assert.match(found.skipped[0]?.reason ?? '', /There is nothing in it/);
  assert.ok(!fs.existsSync(join(home, 'results')), 'results of the home are not touched');
});

test('one of several metrics of an analysis has to be named, and each has its own commit', async (t) => {
  const { bisect } = newHome(t);
  const unnamed = await bisect('both');
  assert.equal(unnamed.code, 1);
  assert.match(unnamed.stderr, /several metrics: rate, size[\s\S]*--metric[\s\S]*BISECT_WHICH_METRIC/);
  const wrong = await bisect('both', '--metric', 'sizes');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /no metric "sizes"[\s\S]*There are: size, rate[\s\S]*BISECT_NO_METRIC/);
  const { code, stdout, stderr } = await bisect('both', '--metric', 'both/size');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^[0-9a-f]{7,} Change 2 made size 50 % higher \(\d+ % to \d+ %\), with a certainty/);
});

test('points of a matrix are metrics, run as in a night', async (t) => {
  const { bisect } = newHome(t);
  const { code, stdout, stderr } = await bisect('grid', '--metric', 'rates=2', '--alternate');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /made rates=2 20 % lower/);
});

test('a search goes on with the metric that it began with', async (t) => {
  const { home, bisect } = newHome(t);
  assert.equal((await bisect('rate', '-q')).code, 0);
  const folder = join(home, '.nightmark/bisect');
  const [name = ''] = fs.readdirSync(folder).filter((it) => it.endsWith('.ndjson'));
  const lines = fs.readFileSync(join(folder, name), 'utf8').split('\n');
  const begun = lines.slice(0, lines.findIndex((line) => line.includes('"type":"pair"')) + 3);
  fs.writeFileSync(join(folder, name), `${begun.join('\n')}\n`);
  const again = await runInProcess(['bisect', '--resume', '--home', home, '--json']);
  assert.equal(again.code, 0, again.stderr);
  const found = JSON.parse(again.stdout) as Found;
  assert.deepEqual([found.metric.name, found.metric.better], ['rate', 'higher']);
});

test('nights say which metric is meant: the one with an open change', async (t) => {
  const { home, bisect } = newHome(t);
  const data = join(home, 'results/experiments/data/both');
  fs.mkdirSync(data, { recursive: true });
  for (let night = 1; night <= 28; night++) {
    const size = (night > 14 ? 1.5 : 1) * (1 + (night % 3) / 1000);
    const day = String(night).padStart(2, '0');
    fs.writeFileSync(join(data, `data_01-${day}-2024-0300.json`), JSON.stringify({ rate: 100, size }));
  }
  const early = await bisect('both', '--metric', 'speed');
  assert.match(early.stderr, /no metric "speed"[\s\S]*BISECT_NO_METRIC/);
  assert.match((await bisect('both', '--dry-run')).stderr, /BISECT_WHICH_METRIC/, 'nothing was judged yet');
  assert.equal((await runInProcess(['changes', home])).code, 0);
  const { code, stdout, stderr } = await bisect('both', '--json');
  assert.equal(code, 0, stderr);
  const found = JSON.parse(stdout) as Found;
  assert.deepEqual([found.metric.name, found.culprits[0]?.subject], ['size', 'Change 2']);
});

test('the time of the command is compared where it is asked for', async (t) => {
  const { bisect, commits } = newHome(t);
  const wall = ['--metric', 'wall', '--pairs', '2', '--min-effect', '900%', '--json'];
  const { code, stdout, stderr } = await bisect('both', ...wall);
  assert.equal(code, 2, stderr);
  assert.deepEqual((JSON.parse(stdout) as Found).metric, { name: 'wall', unit: 's', better: 'lower' });
  assert.equal(commits.length, 8);
});
