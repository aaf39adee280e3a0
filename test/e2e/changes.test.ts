import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { MAIN, runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const NOISE = [0, 0.01, -0.01, 0.005, -0.005, 0.002, 0.008];
const around = (level: number, count: number) =>
  Array.from({ length: count }, (_, index) => level * (1 + (NOISE[index % NOISE.length] ?? 0)));

const newFolder = () => fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-changes-')));

/** A home whose experiment prints what is in the file "value"; its past are data files of earlier nights. */
function makeHome(past: readonly number[], more = ''): string {
  const home = newFolder();
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `backups: {before: false, after: false}
${more}
experiments:
  sort:
    run: 'cat value'
    telemetry: false
    results: {format: json, value: time, unit: s, better: lower}
`,
  );
  addNights(home, past);
  return home;
}

function addNights(home: string, past: readonly number[]): void {
  const dir = join(home, 'results/experiments/data/sort');
  fs.mkdirSync(dir, { recursive: true });
  for (const [index, time] of past.entries()) {
    const date = new Date(Date.UTC(2024, 0, 1 + index));
    const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()].map((part) =>
      String(part).padStart(2, '0'),
    );
    const file = `data_${month}-${day}-${date.getUTCFullYear()}-0300.json`;
    fs.writeFileSync(join(dir, file), JSON.stringify({ time }));
  }
}

async function night(home: string, value: object, ...options: readonly string[]) {
  fs.writeFileSync(join(home, 'value'), JSON.stringify(value));
  return runInProcess(['run', home, '--progress', 'none', ...options]);
}

async function list(home: string, ...options: readonly string[]): Promise<ChangeList> {
  const { stdout, code, stderr } = await runInProcess(['changes', home, '--json', ...options]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as ChangeList;
}
const idsOf = ({ changes }: ChangeList) => changes.map(({ id }) => id);
const ledgerOf = (home: string) => join(home, '.nightmark/changes.ndjson');

test('a series in a file: where each new level begins', async () => {
  const dir = newFolder();
  const file = join(dir, 'times.txt');
  fs.writeFileSync(file, `${[...around(100, 30), ...around(110, 30)].join('\n')}\n`);
  const { code, stdout } = await runBinary(['changes', file]);
  assert.equal(code, 0);
  assert.match(stdout, /^1 change in 60 values\n/);
  assert.match(stdout, /\n +30 +31 +110 +30 +\+10\.0 % \(\+9\.\d to \+10\.\d\) +>99\.99 %/);
  assert.doesNotMatch(stdout, /▁|█/, 'no chart where there is no terminal');
  const json = JSON.parse((await runInProcess(['changes', file, '--json'])).stdout);
  assert.deepEqual([json.changes[0].index, json.changes[0].line, json.values, json.gaps], [30, 31, 60, 0]);
});

test('a series that drifts: no change, and reported as what it is', async () => {
  const file = join(newFolder(), 'times.txt');
  const rising = around(100, 120).map((value, index) => value + index / 10);
  fs.writeFileSync(file, `time\n${rising.join('\n')}\n`);
  const { code, stdout } = await runInProcess(['changes', file]);
  assert.equal(code, 0);
  assert.match(stdout, /^time: no change in 120 values\n/);
  assert.match(
    stdout,
    /\nFrom line 2 to 121 it drifts by \+11\.\d % \(\+1\d\.\d to \+1\d\.\d\) over 120 values, \+0\.09\d+ % each: a drift, not a change\.\n/,
  );
  const { levels } = JSON.parse((await runInProcess(['changes', file, '--json'])).stdout);
  const { start, end, perPoint } = levels[0].drift;
  assert.deepEqual([levels.length, start, end], [1, 0, 120]);
  assert.ok(perPoint.low < 0.1 && perPoint.high > 0.1 && perPoint.high - perPoint.low < 0.02);
});

test('the same through a pipe, with gaps, and from a column of a table', async () => {
  const dir = newFolder();
  const values = [...around(100, 30), ...around(110, 30)];
  const rows = values.map((value, index) => `c${index},${index === 5 ? 'failed' : value}`);
  fs.writeFileSync(join(dir, 't.csv'), `commit,mean\n${rows.join('\n')}\n`);
  const table = await runInProcess(['changes', join(dir, 't.csv'), '--column', 'mean']);
  assert.match(table.stdout, /^mean: 1 change in 59 values and 1 gap\n/);
  const child = spawn(process.execPath, [MAIN, 'changes', '-', '--json'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stdin.end(`${values.join('\n')}\n\n`);
  const [code] = await once(child, 'close');
  assert.deepEqual([code, JSON.parse(text).changes[0].index], [0, 30]);
});

test('empty, broken and missing input is reported', async () => {
  const dir = newFolder();
  const of = async (name: string, content: string | Buffer) => {
    fs.writeFileSync(join(dir, name), content);
    return runInProcess(['changes', join(dir, name)]);
  };
  const empty = await of('empty', '');
  assert.deepEqual([empty.code, empty.stdout], [2, 'no value: nothing to analyse.\n']);
  const broken = await of('broken', '1\n2\n3 s\n');
  assert.deepEqual([broken.code, /broken:3: "3 s" is not a number/.test(broken.stderr)], [1, true]);
  const long = await of('zeros', Buffer.alloc(3_000_000));
  assert.deepEqual([long.code, /longer than a megabyte/.test(long.stderr)], [1, true]);
  const gone = await runInProcess(['changes', join(dir, 'nowhere')]);
  assert.deepEqual([gone.code, /CHANGES_NOTHING_THERE/.test(gone.stderr)], [1, true]);
});

test('nights: provisional, then confirmed under the same id; the exit code only when asked', async () => {
  const home = makeHome(around(1, 12));
  const calm = await night(home, { time: 1.003 }, '--fail-on-regression');
  assert.deepEqual([calm.code, /\d change/.test(calm.stdout)], [0, false], calm.stdout);
  const first = await night(home, { time: 1.3 }, '--fail-on-regression');
  assert.equal(first.code, 3, first.stdout + first.stderr);
  const id = /1 change:\n {2}(\w+) {2}sort\/time \+\d\d\.\d % \(.*\) worse, provisional\n/.exec(
    first.stdout,
  )?.[1];
  assert.ok(id, first.stdout);
  assert.equal((await night(home, { time: 1.31 })).code, 0);
  const third = await night(home, { time: 1.3 });
  assert.match(
    third.stdout,
    new RegExp(`1 change:\n {2}${id} {2}sort/time \\+\\d\\d\\.\\d % \\(.*\\) worse\n`),
  );
  const status = await runInProcess(['status', home]);
  assert.match(status.stdout, new RegExp(`1 open regression\n {2}▲ ${id} {2}sort/time`));
  const found = await list(home);
  assert.deepEqual([idsOf(found), found.openRegressions, found.changes[0]?.isProvisional], [[id], 1, false]);
});

test('a single spike is withdrawn, and counted among what is not shown', async () => {
  const home = makeHome(around(1, 12));
  await night(home, { time: 1.002 });
  assert.match((await night(home, { time: 1.4 })).stdout, /1 change:/);
  await night(home, { time: 1.001 });
  const found = await list(home);
  assert.deepEqual([found.changes.length, found.hidden.withdrawn], [0, 1]);
  const { stdout } = await runInProcess(['changes', home]);
  assert.match(stdout, /^0 changes, no open regression\nNot shown: 1 withdrawn/);
  assert.equal((await list(home, '--state', 'withdrawn')).changes.length, 1);
});

test('a home that nobody judged is judged when it is asked about', async () => {
  const home = makeHome([...around(1, 30), ...around(1.1, 30)]);
  const { stdout, stderr } = await runInProcess(['changes', home]);
  assert.match(stderr, /1 series judged/);
  assert.match(stdout, /sort\/time {2}\+10\.\d % /);
  assert.doesNotMatch((await runInProcess(['changes', home])).stderr, /judged/);
});

test('what people say stays: through reindex, a lost index, and judging again with more history', async () => {
  const home = makeHome([...around(1, 30), ...around(1.1, 30), ...around(1, 30)]);
  const [second, first] = idsOf(await list(home));
  assert.ok(first && second);
  const said = await runInProcess(
    [
      'changes',
      'triage',
      first.slice(0, 5),
      second,
      '--state',
      'expected',
      '--note',
      'a "note"',
      '--home',
      home,
    ],
    { env: { GIT_AUTHOR_NAME: 'Ada' } },
  );
  assert.deepEqual([said.code, said.stdout.split('\n').length], [0, 3], said.stderr);
  fs.rmSync(join(home, '.nightmark/index.db'));
  addNights(home, [...around(1, 30), ...around(1.1, 30), ...around(1, 40)]);
  assert.equal((await runInProcess(['reindex', home])).code, 0);
  const { changes } = await list(home, '--judge');
  assert.deepEqual(
    changes.map(({ id, state, note, author }) => [id, state, note, author]),
    [second, first].map((id) => [id, 'expected', 'a "note"', 'Ada']),
  );
  const shown = await runInProcess(['changes', 'show', first, '--home', home]);
  assert.match(shown.stdout, /state expected, set by Ada on .*: a "note"/);
  assert.match(
    shown.stdout,
    /History\n.*found at .*\n.*explained: nothing that is recorded changed\n.*marked as expected by Ada: a "note"/,
  );
  await runInProcess(['changes', 'triage', first, '--state', 'new', '--home', home]);
  assert.deepEqual(idsOf(await list(home, '--state', 'open')), [first]);
});

test('a torn line is reported and costs nothing else, and what follows it is whole', async () => {
  const home = makeHome([...around(1, 30), ...around(1.1, 30)]);
  const [id = ''] = idsOf(await list(home));
  fs.appendFileSync(ledgerOf(home), '{"type":"triaged","at":1,"id":"x');
  const { stderr } = await runInProcess(['changes', 'triage', id, '--state', 'fixed', '--home', home]);
  assert.equal(stderr, '');
  const listed = await runInProcess(['changes', home]);
  assert.match(listed.stderr, /changes\.ndjson: line 4 could not be used/);
  assert.deepEqual(idsOf(await list(home, '--state', 'fixed')), [id]);
  const reindexed = await runInProcess(['reindex', home]);
  assert.match(reindexed.stdout, /1 changes/);
  assert.match(reindexed.stdout, /line 4 could not be used/);
});

test('filters say what they hide, and a mistake in one is an error', async () => {
  const home = makeHome([...around(1, 30), ...around(1.1, 30)]);
  const none = await list(home, '--experiment', 'other');
  assert.deepEqual([none.changes.length, none.hidden.experiment], [0, 1]);
  assert.equal((await list(home, '--metric', 'ti*')).changes.length, 1);
  assert.equal((await list(home, '--since', '2024-06-01')).hidden.since, 1);
  assert.equal((await list(home, '--limit', '0')).hidden.limit, 1);
  for (const wrong of [
    ['--state', 'sold'],
    ['--since', 'soon'],
    ['--limit', '-1'],
  ]) {
    assert.equal((await runInProcess(['changes', home, ...wrong])).code, 1, wrong.join(' '));
  }
  const unknown = await runInProcess(['changes', 'show', 'nothing', '--home', home]);
  assert.deepEqual([unknown.code, /CHANGES_UNKNOWN/.test(unknown.stderr)], [1, true]);
});

test('the definition decides what is judged, and what is small', async () => {
  const past = [...around(1, 30), ...around(1.1, 30)];
  assert.equal((await list(makeHome(past, 'regress: {ignore: [tim*]}'))).changes.length, 0);
  assert.equal((await list(makeHome(past, 'regress: {min-effect: 20%}'))).changes.length, 0);
  assert.equal((await list(makeHome(past, 'regress: {min-effect: 5%}'))).changes.length, 1);
});

test('a series that stopped coming is reported once', async () => {
  const home = makeHome([]);
  const definition = join(home, 'nightmark.yml');
  const one = fs.readFileSync(definition, 'utf8');
  const two = one.replace('value: time', 'value: [time, size]');
  const outputs: string[] = [];
  for (const text of [two, two, one, one, one, one]) {
    fs.writeFileSync(definition, text);
    outputs.push((await night(home, { time: 1, size: 5 })).stdout);
  }
  const told = outputs.map((text) => text.includes('sort/size: no new values'));
  assert.deepEqual(told, [false, false, false, false, true, false], outputs.join('\n'));
  assert.equal((await list(home)).absences.length, 1);
  assert.match((await runInProcess(['changes', home])).stdout, /sort\/size: no new values, last seen/);
  fs.writeFileSync(definition, two);
  await night(home, { time: 1, size: 5 });
  assert.equal((await list(home)).absences.length, 0);
});

test('a ledger that cannot be written does not fail the night', async () => {
  const home = makeHome(around(1, 12));
  fs.mkdirSync(ledgerOf(home), { recursive: true });
  const { code, stdout, stderr } = await night(home, { time: 1.3 });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /1 of 1 experiment succeeded/);
  assert.match((await runInProcess(['status', home])).stdout, /could not be judged/);
});

test('an empty home has no changes, and says how to get some', async () => {
  const home = makeHome([]);
  fs.rmSync(join(home, 'results'), { recursive: true });
  const { code, stdout, stderr } = await runInProcess(['changes', home]);
  assert.deepEqual([code, /has no results yet/.test(stdout), /nightmark run/.test(stderr)], [0, true, true]);
});

test('KPIs of payloads are judged when they come, and the ledger is in a backup', async () => {
  const home = makeHome([]);
  const folder = newFolder();
  fs.writeFileSync(join(folder, 'source.lts.yaml'), 'index: w\n');
  for (const [index, value] of [...around(10, 16), ...around(12, 8)].entries()) {
    const start = new Date(Date.UTC(2024, 8, 1 + index)).toISOString().slice(0, 19);
    const kpi = { help: 'h', unit: 'ms', value, cpu: 2, lower_better: true, '@timestamp': start };
    const metadata = { start, end: start, test_uuid: `t${index}`, settings: { cpu: 2 }, exit_code: 0 };
    const kpis = { latency: kpi, unjudged: { ...kpi, ignored_for_regression: true } };
    fs.writeFileSync(join(folder, `w_${index}.json`), JSON.stringify({ metadata, results: {}, kpis }));
  }
  const imported = await runInProcess(['matrix', 'import', '--from', `files:${folder}`, '--store', home]);
  assert.match(imported.stderr, /1 change:\n {2}\w+ {2}latency\{cpu=2\} \+\d\d\.\d % \(.*\) worse\n/);
  const { changes } = await list(home);
  assert.deepEqual(
    changes.map(({ runId, direction, series }) => [runId, direction, series]),
    [['t16', 'worse', { kind: 'kpi', name: 'latency', labels: { cpu: 2 } }]],
  );
  const archive = join(folder, 'b.tar.gz');
  assert.equal((await runInProcess(['backup', home, '--output', archive])).code, 0);
  const names = execFileSync('tar', ['tzf', archive], { encoding: 'utf8' });
  assert.match(names, /\.nightmark\/changes\.ndjson\n/);
});
