import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-kit-commands-'));
after(() => rmSync(folder, { recursive: true }));
const nightmark = (...words: string[]) => runInProcess(words, { cwd: folder });
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

test('a command is timed for each combination, and its table becomes data', async () => {
  const words = [
    'time',
    '-o',
    'raw',
    '--runs',
    '2',
    '--dry-runs',
    '1',
    '-p',
    'size=1,2',
    '--status',
    '--json',
  ];
  const { code, stdout, stderr } = await nightmark(...words, '--', 'sh', '-c', 'test "$size" = {size}');
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(JSON.parse(stdout).table, join(folder, 'raw/command-time.csv'));
  const rows = read('raw/command-time.csv').split('\r\n');
  assert.equal(rows[0], 'size,rep,run,time');
  assert.deepEqual(
    rows.slice(1, 5).map((row) => row.replace(/,[^,]*$/, '')),
    ['1,0,1', '1,0,2', '2,0,1', '2,0,2'],
  );
  assert.equal(read('raw/status.json'), '{"success": true, "message": "success"}');
  assert.equal(
    (await nightmark('data', 'times', 'raw/command-time.csv', '-o', 'analysis', '--status')).code,
    0,
  );
  const data = JSON.parse(read('analysis/data.json'));
  assert.deepEqual(Object.keys(data), ['1', '2', 'detailed']);
  assert.equal(data['1'], data.detailed['1'].mean);
});

test('a command that fails ends the timing and is named', async () => {
  const { code, stderr } = await nightmark('time', '-o', 'bad', '--status', '--', 'sh', '-c', 'exit 3');
  assert.equal(code, 1);
  assert.match(stderr, /Timing stopped\. .*sh -c exit 3 ended with exit code 3\.[\s\S]*\[KIT_TRIAL_FAILED\]/);
  assert.match(read('bad/status.json'), /"success": false/);
  assert.match((await nightmark('time', '--', './nope')).stderr, /\.\/nope cannot be started/);
  assert.match((await nightmark('time', '--runs', 'x', '--', 'true')).stderr, /--runs x is not a count/);
  assert.match(
    (await nightmark('time', '-p', '=1', '--', 'true')).stderr,
    /--parameter =1 is not understood/,
  );
  assert.match((await nightmark('time', '--task', 'a/b', '--', 'true')).stderr, /\[CLI_INVALID_OPTION\]/);
});

test('status and summary are written as scripts expect them', async () => {
  assert.equal((await nightmark('status-file', 'false', 'a "b"\n', 'st')).code, 0);
  assert.equal(read('st/status.json'), '{"success": false, "message": "a \\"b\\"\\n"}');
  assert.match(
    (await nightmark('status-file', 'maybe', 'x', 'st')).stderr,
    /"maybe" is neither true nor false/,
  );
  assert.equal((await nightmark('summary', 'su', '--title', 'T', '--value', 'v', '--status')).code, 0);
  assert.equal(read('su/summary.json'), '{"title": "T", "value": "v"}');
  assert.match((await nightmark('summary', 'su', '--title', 'T')).stderr, /needs --value or --data/);
  assert.match(
    (await nightmark('summary', 'su', '--title', 'T', '--data', 'none')).stderr,
    /\[KIT_NO_DATA\]/,
  );
});

test('data of other experiments is read by name or by folder', async () => {
  const dir = join(folder, 'results/experiments/data/sort');
  mkdirSync(dir, { recursive: true });
  for (const [night, value] of [
    ['01-02-2026-0200', 2],
    ['12-30-2025-0200', 1],
  ] as const) {
    writeFileSync(
      join(dir, `data_${night}.json`),
      JSON.stringify({ timestamp: night, cpu: { quick: value } }),
    );
  }
  assert.equal((await nightmark('data', 'get', 'sort', 'cpu')).stdout, '{"quick":2}\n');
  const { stdout } = await nightmark('data', 'series', 'sort', 'cpu', 'quick', '--chart', 'g/quick.svg');
  assert.equal(stdout, '12-30-2025-0200\t1\n01-02-2026-0200\t2\n');
  assert.match(read('g/quick.svg'), /^<svg /);
  const byFolder = await nightmark(
    'data',
    'series',
    './results/experiments/data/sort',
    'cpu',
    'quick',
    '--json',
  );
  assert.deepEqual(JSON.parse(byFolder.stdout)[1], { timestamp: '01-02-2026-0200', value: 2 });
  assert.match(
    (await nightmark('data', 'get', 'sort', 'gpu')).stderr,
    /has no gpu\.\n {2}There is: timestamp, cpu/,
  );
  assert.match((await nightmark('data', 'series', 'nothing', 'x')).stderr, /There is no data of nothing/);
  await nightmark('summary', 'su', '--title', 'T', '--data', dir);
  assert.equal(read('su/summary.json'), '{"title": "T", "value": "cpu, quick: 2000.000 ms\\n"}');
});

test('prerequisites are reported, and become a failed status', async () => {
  const { code, stdout } = await nightmark(
    'prerequisites',
    '{"cnn": {"devices": ["cpu"]}}',
    '--status',
    'pre',
  );
  assert.deepEqual([code, stdout], [1, 'Config invalid for cnn\n']);
  assert.equal(read('pre/status.json'), '{"success": false, "message": "Config invalid for cnn"}');
  assert.equal((await nightmark('prerequisites', '{}')).stdout, 'success\n');
  assert.match((await nightmark('prerequisites', '{"cnn": 3}')).stderr, /cnn is 3/);
  assert.match((await nightmark('prerequisites', 'none.json')).stderr, /\[KIT_UNREADABLE\]/);
});

test('Ctrl-C ends the command that is timed; the rows so far stay', async () => {
  const script = 'if [ -e once ]; then echo $$ > pid.part; mv pid.part pid; exec sleep 60; fi; touch once';
  const words = ['time', '-o', 'stopped', '--dry-runs', '0', '--status', '--', 'sh', '-c', script];
  const child = startBinary(words, {}, folder);
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close');
  while (!existsSync(join(folder, 'pid')) && child.exitCode === null) await setTimeout(20);
  const pid = Number(read('pid'));
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
  assert.equal(stderr, `Interrupted: the rows so far are in ${folder}/stopped/command-time.csv.\n`);
  assert.match(read('stopped/command-time.csv'), /^rep,run,time\r\n0,0,[\d.e-]+\r\n$/);
  assert.match(read('stopped/status.json'), /^\{"success": false, "message": ".*Timing was interrupted\./);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('Ctrl-C between two repetitions waits for no rest', async () => {
  const words = ['time', '-o', 'resting', '--dry-runs', '0', '--runs', '1', '--reps', '2'];
  const child = startBinary([...words, '--rest-ms', '60000', '--', 'true'], {}, folder);
  const table = join(folder, 'resting/command-time.csv');
  const rows = () => (existsSync(table) ? readFileSync(table, 'utf8').split('\r\n').length - 2 : 0);
  while (rows() < 1 && child.exitCode === null) await setTimeout(20);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [130, null]);
  assert.equal(rows(), 1);
});
