import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { ForwardTarget } from '../../src/home/core/home.ts';
import { type Forwarding, forwardingWriter } from '../../src/metrics/app/forward-points.ts';
import type { LogRecord } from '../../src/metrics/core/points/point-storage.ts';
import { openForwarding } from '../../src/server/cli/open-forwarding.ts';
import {
  influxRows,
  newServerPlace,
  removePlace,
  type ServerPlace,
  startInfluxdb,
} from '../support/metric-servers.ts';
import { type RealServer, skipWithout } from '../support/real-server.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'nightmark-forward-'));
const target = (url: string, more: Partial<ForwardTarget> = {}): ForwardTarget => ({
  name: 'mirror',
  to: 'influx',
  url,
  only: {},
  bufferBytes: 10 * 1024 * 1024,
  ...more,
});
const record = (text: string, database = 'db'): LogRecord => ({
  database,
  kind: 'lines',
  body: Buffer.from(text),
  precision: 's',
  receivedAt: { ms: 1_700_000_000_000, ns: 1 },
});

interface Running {
  readonly forwarding: Forwarding;
  readonly said: string[];
  stop(): Promise<void>;
}

/** With a clock that shortens pauses: what is waited for is seen in `slept`. */
async function start(
  folder: string,
  targets: readonly ForwardTarget[],
  slept: number[] = [],
): Promise<Running> {
  const said: string[] = [];
  const clock = {
    async sleep(ms: number) {
      slept.push(ms);
      await sleep(Math.min(ms, 20));
    },
  };
  const effects = { clock, random: () => 0.5, report: (message: string) => said.push(message) };
  const forwarding = await openForwarding({ targets, folder, env: {} }, effects);
  const controller = new AbortController();
  const done = forwarding.run(controller.signal);
  return {
    forwarding,
    said,
    async stop() {
      controller.abort();
      await done;
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1500) assert.fail(`in vain: ${isSo}`);
    await sleep(20);
  }
}

describe('mirrored to a real InfluxDB', { skip: skipWithout('influxd', 'apt-get install influxdb') }, () => {
  let place: ServerPlace;
  let server: RealServer;
  before(async () => {
    place = await newServerPlace();
    server = await startInfluxdb(place);
    for (const name of ['db', 'train']) await influxRows(server.url, '', `CREATE DATABASE ${name}`);
  });
  after(async () => {
    await server.stop();
    removePlace(place);
  });

  test('what was written while it was away comes when it is back, none lost, none twice', async () => {
    const folder = newFolder();
    const { url } = server;
    const first = await start(folder, [target(url)]);
    for (let at = 0; at < 500; at++) first.forwarding.take(record(`m v=${at} ${1_700_000_000 + at}`));
    await until(() => first.forwarding.status()[0]?.sent === 500);
    await server.stop();
    for (let at = 500; at < 900; at++) first.forwarding.take(record(`m v=${at} ${1_700_000_000 + at}`));
    await until(() => first.forwarding.status()[0]?.state === 'waiting');
    assert.match(first.said.join(), /mirror: http:\S+ cannot be reached: .*It is retried/);
    assert.equal(first.forwarding.status()[0]?.buffer.lines, 400);
    await first.stop();
    const second = await start(folder, [target(url)]);
    second.forwarding.take(record('m v=900 1700000900'));
    server = await startInfluxdb(place);
    await until(() => second.forwarding.status()[0]?.buffer.lines === 0);
    assert.equal(second.forwarding.status()[0]?.sent, 401);
    await second.stop();
    assert.deepEqual(await influxRows(server.url, 'db', 'SELECT count(v), sum(v) FROM m'), [
      [0, 901, 405_450],
    ]);
  });

  test('only what the rule wants goes, to the database that it names', async () => {
    const only = { databases: ['tr*'], measurements: ['loss', 'acc*'], tags: { job: ['a*', 'b'] } };
    const { forwarding, stop } = await start(newFolder(), [target(server.url, { only, database: 'db' })]);
    const lines = [
      'loss,job=a1 v=1 1',
      'loss,job=c v=1 1',
      'loss v=1 1',
      'accuracy,job=b v=1 1',
      'm.,job=b v=1 1',
    ];
    forwarding.take(record(lines.join('\n'), 'train'));
    forwarding.take(record('loss,job=a2 v=1 1', 'other'));
    await until(() => forwarding.status()[0]?.sent === 2);
    await stop();
    const series = await influxRows(server.url, 'db', 'SHOW SERIES FROM loss, accuracy');
    assert.deepEqual(series, [['accuracy,job=b'], ['loss,job=a1']]);
  });

  test('a process that is killed in the middle leaves the rest to the next', async () => {
    const folder = newFolder();
    const module = pathToFileURL('dist/src/server/cli/open-forwarding.js').href;
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', SENDER, module, folder, JSON.stringify(target(server.url))],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let told = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      told = Number(line);
      if (told >= 3000) child.kill('SIGKILL');
    }
    const { forwarding, stop } = await start(folder, [target(server.url)]);
    await until(() => forwarding.status()[0]?.buffer.lines === 0);
    await stop();
    const rows = (await influxRows(server.url, 'db', 'SELECT count(v), max(v) FROM killed')) as number[][];
    const [[, count = 0, most] = []] = rows;
    assert.ok(count >= told, `${count} of ${told}`);
    assert.equal(most, count);
  });
});

test('Retry-After is waited for, pauses double with chance, and what is refused is counted and passed over', async () => {
  const bodies: string[] = [];
  const answers = [500, 500, 429, 400];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    bodies.push(gunzipSync(Buffer.concat(pieces)).toString());
    response.writeHead(answers.shift() ?? 204, { 'retry-after': answers.length === 1 ? '9' : '0' }).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const slept: number[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { forwarding, said, stop } = await start(newFolder(), [target(url)], slept);
  forwarding.take(record('m v=1 1'));
  await until(() => forwarding.status()[0]?.leftOut.refused === 1);
  forwarding.take(record('m v=2 2\nm v=3'));
  await until(() => forwarding.status()[0]?.sent === 2);
  await stop();
  server.close();
  assert.deepEqual(bodies, [
    ...Array.from({ length: 4 }, () => 'm v=1 1000000000\n'),
    'm v=2 2000000000\nm v=3 1700000000000000000\n',
  ]);
  assert.deepEqual(
    slept.filter((ms) => ms !== 200),
    [375, 750, 9000],
  );
  assert.match(forwarding.status()[0]?.firstRefusal ?? '', /answered 400: no/);
  assert.equal(said.filter((message) => message.includes('retried')).length, 1);
});

test('a mirror that is away for long keeps the newest, and says how many lines it dropped', async () => {
  const { forwarding, stop } = await start(newFolder(), [
    target('http://127.0.0.1:1', { bufferBytes: 200_000 }),
  ]);
  const body = `m v=1 1\n`.repeat(1000);
  for (let at = 0; at < 100; at++) forwarding.take(record(body));
  const { buffer } = forwarding.status()[0] ?? assert.fail();
  assert.equal(buffer.lines + buffer.droppedLines, 100_000);
  assert.ok(buffer.bytes <= 300_000 && buffer.lines >= 10_000, JSON.stringify(buffer));
  await stop();
});

test('a writer with mirrors hands on what was taken, and nothing else', async () => {
  const { forwarding, stop } = await start(newFolder(), [target('http://127.0.0.1:1')]);
  const answer = (values: number) => ({ lines: 1, values, refused: [], refusedLines: 1 - values });
  const writer = forwardingWriter(
    { write: async ({ body }) => answer(body.length > 3 ? 1 : 0), hasDatabase: (name) => name === 'db' },
    forwarding,
  );
  assert.equal((await writer.write(record('m v=1'))).values, 1);
  await writer.write(record('bad'));
  await writer.write({ ...record('drop it'), kind: 'instruction' });
  assert.deepEqual([writer.hasDatabase('db'), writer.hasDatabase('x')], [true, false]);
  assert.equal(forwarding.status()[0]?.buffer.lines, 1);
  await stop();
});

test('a variable that is not set is reported by its name', async () => {
  const targets = [target('http://h', { tokenEnv: 'NO_SUCH_TOKEN' })];
  await assert.rejects(start(newFolder(), targets), { code: 'FORWARD_NO_SECRET', message: /NO_SUCH_TOKEN/ });
});

const SENDER = `
  const { openForwarding } = await import(process.argv[1]);
  const clock = { sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))) };
  const place = { targets: [JSON.parse(process.argv[3])], folder: process.argv[2], env: {} };
  const forwarding = await openForwarding(place, { clock, random: Math.random, report: console.error });
  forwarding.run(new AbortController().signal);
  const receivedAt = { ms: 0, ns: 0 };
  for (let at = 1; ; at++) {
    forwarding.take({ database: 'db', kind: 'lines', body: Buffer.from('killed v=' + at + ' ' + at), precision: 's', receivedAt });
    if (at % 100 === 0) {
      console.log(at);
      await clock.sleep(10);
    }
  }
`;
