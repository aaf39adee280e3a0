import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { runBinary, startBinary } from '../support/binary.ts';
import { until } from '../support/duet-folder.ts';
import { eventRecord } from '../support/event-file.ts';
import { runInProcess } from '../support/in-process.ts';
import { InfluxServer } from '../support/influx-server.ts';
import { servePoints } from '../support/serve-points.ts';
import { UdpReceiver } from '../support/udp-receiver.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-follow-'));
const server = new InfluxServer(['tests']);
const to = `${await server.listen()}?db=tests`;
let dir = root;
let folders = 0;
after(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  server.points.clear();
  dir = join(root, `runs-${folders++}`);
  mkdirSync(join(dir, 'seed 1/tb'), { recursive: true });
});

const csv = () => join(dir, 'seed 1/progress.csv');
const events = () => join(dir, 'seed 1/tb/events.out.tfevents.1500000000.host');
const stored = () => [...server.points].map(([key, fields]) => `${key} ${fields}`).sort();

test('sends event files and progress.csv once, as the same points whenever it is asked', async () => {
  writeFileSync(csv(), 'TotalEnvSteps,Return,timestamp\r\n100,-5.25,1500000000\r\n200,,1500000001\r\n');
  writeFileSync(
    events(),
    Buffer.concat([
      eventRecord({ wallTime: 1_500_000_000, version: 'brain.Event:2' }),
      eventRecord({
        wallTime: 1_500_000_001.5,
        step: 100,
        scalars: { Return: -5.25, loss: { double: 0.1 }, kl: { content: 0.5 }, weights: { histogram: 1 } },
      }),
    ]),
  );
  const first = await runBinary(['follow', dir, '--once', '--to', to, '--tag', 'user=ada', '--json']);
  assert.deepEqual([first.code, first.stderr], [0, '']);
  assert.deepEqual(JSON.parse(first.stdout), {
    files: 2,
    records: 3,
    lines: 8,
    refusals: 0,
    waiting: 0,
    problems: 0,
  });
  const tags = (source: string, folder: string) => `run=seed\\ 1${folder},source=${source},user=ada`;
  const ofCsv = tags('progress-csv', '');
  const ofEvents = tags('tensorboard', '/tb');
  assert.deepEqual(
    stored(),
    [
      `Return,${ofCsv} 1500000000000000001 step=100i,value=-5.25`,
      `TotalEnvSteps,${ofCsv} 1500000000000000001 step=100i,value=100.0`,
      `TotalEnvSteps,${ofCsv} 1500000001000000002 step=200i,value=200.0`,
      `timestamp,${ofCsv} 1500000000000000001 step=100i,value=1500000000.0`,
      `timestamp,${ofCsv} 1500000001000000002 step=200i,value=1500000001.0`,
      `Return,${ofEvents} 1500000001500000001 step=100i,value=-5.25`,
      `kl,${ofEvents} 1500000001500000001 step=100i,value=0.5`,
      `loss,${ofEvents} 1500000001500000001 step=100i,value=0.1`,
    ].sort(),
  );
  const second = await runInProcess(['follow', dir, '--once', '--to', to, '--tag', 'user=ada']);
  assert.equal(second.stdout, `Sent 0 values of 0 rows and events from 2 files to ${to}.\n`);
});

test('killed again and again while rows come: none is lost, none is doubled', {
  timeout: 300_000,
}, async () => {
  writeFileSync(csv(), 'Iteration,x\n');
  let rows = 0;
  const writing = setInterval(() => {
    for (let i = 0; i < 5; i++) appendFileSync(csv(), `${++rows},${rows * 2}\n`);
  }, 5);
  for (let round = 0; round < 8; round++) {
    const child = startBinary(['follow', dir, '--to', to]);
    const before = server.points.size;
    // Ends it in the midst of things: a little later each time.
    await until(() => server.points.size > before || child.exitCode !== null);
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
  }
  clearInterval(writing);
  assert.equal((await runInProcess(['follow', dir, '--once', '--to', to])).code, 0);
  const steps = [...server.points].flatMap(([key, fields]) =>
    key.startsWith('x,') ? [/step=(\d+)i/.exec(fields)?.[1]] : [],
  );
  assert.equal(steps.length, rows);
  assert.equal(new Set(steps).size, rows);
});

test('Ctrl-C ends it with what it did; UDP serves as well', async () => {
  const receiver = new UdpReceiver();
  const port = await receiver.listen();
  writeFileSync(csv(), 'Iteration,x\n1,0.5\n');
  const child = startBinary(['follow', dir, '--to', `udp:127.0.0.1:${port}`]);
  let stdout = '';
  child.stdout?.on('data', (piece) => (stdout += piece));
  await receiver.untilLines(2);
  appendFileSync(csv(), '2,0.25\n');
  await receiver.untilLines(4);
  child.kill('SIGINT');
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);
  receiver.close();
  assert.equal(stdout, `Sent 4 values of 2 rows and events from 1 files to udp://127.0.0.1:${port}.\n`);
  assert.match(receiver.lines[3] ?? '', /^x,run=seed\\ 1,source=progress-csv step=2i,value=0\.25 \d{19}$/);
});

test('a receiver that is not there costs nothing but time', async () => {
  writeFileSync(csv(), 'Iteration,x\n1,0.5\n');
  const down = await runInProcess(['follow', dir, '--once', '--to', 'http://127.0.0.1:9']);
  assert.equal(down.code, 1);
  assert.match(down.stderr, /FOLLOW_NOT_TAKEN|Nothing could be sent/);
  const up = await runInProcess(['follow', dir, '--once', '--to', to, '--json']);
  assert.equal((JSON.parse(up.stdout) as { lines: number }).lines, 2);
});

test('broken files are named and passed over; what is wrong with a call is said', async () => {
  writeFileSync(csv(), 'Iteration,x\n1,0.5\n"a"b,1\n2,0.25\n3,');
  writeFileSync(events(), Buffer.concat([eventRecord({ wallTime: 1, version: 'v' }), Buffer.alloc(100, 1)]));
  mkdirSync(join(dir, 'other/progress.csv'), { recursive: true });
  const { code, stderr, stdout } = await runInProcess(['follow', dir, '--once', '--to', to]);
  assert.equal(code, 0);
  assert.match(stderr, /seed 1\/progress\.csv: after row 1: a row has unbalanced quotes/);
  assert.match(stderr, /seed 1\/tb\/events\S+: at byte \d+: the length of a record is damaged/);
  assert.match(stdout, /Sent 4 values of 2 rows and events from 2 files/);
  assert.match(stdout, /1 files end within a row or event/);

  const wrong = async (...args: string[]) => (await runInProcess(['follow', ...args])).stderr;
  assert.match(await wrong(join(dir, 'none')), /There is no folder .*none/);
  assert.match(await wrong(dir, '--to', 'ftp://x'), /Invalid address to send to: "ftp:\/\/x"/);
  assert.match(await wrong(dir, '--to', 'http://me:pw@x'), /Invalid address to send to: "http:\/\/\*\*\*@x"/);
  assert.match(await wrong(dir, '--tag', 'nonsense'), /Invalid tag: "nonsense"/);
});

test('a database that is not there is created, and lines that are refused do not count as sent', async () => {
  const home = join(root, 'served');
  const receiver = await servePoints(home, { options: ['--udp-port', '0'] });
  try {
    writeFileSync(csv(), 'TotalEnvSteps,Return,timestamp\n100,-5.25,1500000000\n200,4,1500000001\n');
    const place = `${receiver.address}?db=new+one`;
    const first = await runBinary(['follow', dir, '--once', '--to', place, '--json']);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.equal(JSON.parse(first.stdout).lines, 6);
    const q = new URLSearchParams({ db: 'new one', q: 'SELECT count(value) FROM "Return"', epoch: 'ms' });
    const answer = await (await fetch(`${receiver.address}query?${q}`)).text();
    assert.match(answer, /"values":\[\[0,2\]\]/);

    // A tag of this name is taken nowhere.
    const state = join(dir, 'other.json');
    const refused = ['follow', dir, '--once', '--to', place, '--json', '--state', state, '--tag', 'time=1'];
    const second = await runBinary(refused);
    const { lines, refusals } = JSON.parse(second.stdout);
    assert.deepEqual([lines, refusals], [0, 1], second.stderr);
  } finally {
    await receiver.stop();
  }
});
