import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import type { ForwardBatch, Forwarder } from '../../src/metrics/core/forward/forwarder.ts';
import { readLines } from '../../src/metrics/core/lines/read-lines.ts';
import { ColumnRegistry } from '../../src/metrics/core/series/column-registry.ts';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';
import {
  influxRows,
  newServerPlace,
  promSamples,
  removePlace,
  startInfluxdb,
  startPrometheus,
  startVictoria,
} from '../support/metric-servers.ts';
import { skipWithout } from '../support/real-server.ts';

const never = new AbortController().signal;
const NOW_S = Math.floor(Date.now() / 1000);

function batchOf(text: string, database = 'db'): ForwardBatch {
  const book = new ColumnRegistry();
  const receivedAt = { ms: NOW_S * 1000, ns: 0 };
  const options = { database, precision: 'n', receivedAt, keepsNotFinite: true } as const;
  const { rows, refused } = readLines(Buffer.from(text), book, options);
  assert.deepEqual(refused, []);
  return { database, rows, keyOf: (column) => book.at(column) };
}

for (const id of adapterIds('forwarders')) {
  const forwarder = await loadAdapter<Forwarder>('forwarders', id);
  const secrets = { user: 'me', password: 'hunter2' };

  /** What a server that answers so makes of a batch. */
  async function deliver(status: number, headers: Record<string, string> = {}) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(String(request.headers.authorization));
      request.resume().on('end', () => response.writeHead(status, headers).end('{"error":"some words"}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/write`;
    const delivery = await forwarder
      .open({ url, secrets })
      .send(batchOf('m v=1 1000000\nm v=2 2000000'), never);
    server.closeAllConnections();
    server.close();
    assert.equal(asked[0], `Basic ${Buffer.from('me:hunter2').toString('base64')}`);
    assert.doesNotMatch(JSON.stringify(delivery), /hunter2|bWU6/);
    return delivery;
  }

  test(`${id} 2: busy and away is for later, with the time that the target asks for`, async () => {
    const busy = await deliver(503, { 'retry-after': '7' });
    assert.deepEqual([busy.state, 'retryAfterMs' in busy && busy.retryAfterMs], ['later', 7000]);
    for (const status of [401, 403, 404, 429, 500]) assert.equal((await deliver(status)).state, 'later');
    const away = await forwarder.open({ url: 'http://127.0.0.1:1/', secrets }).send(batchOf('m v=1'), never);
    assert.ok(
      away.state === 'later' && /127\.0\.0\.1:1.*ECONNREFUSED/.test(away.message),
      JSON.stringify(away),
    );
  });

  test(`${id} 2: what will never be taken is counted, with the words of the target`, async () => {
    const delivery = await deliver(400);
    assert.ok(delivery.state === 'done');
    assert.deepEqual([delivery.sent, delivery.leftOut], [0, { refused: 2 }]);
    assert.match(delivery.message ?? '', /answered 400: \{"error":"some words"\}/);
  });

  test(`${id} 4: a password in the address is refused`, () => {
    assert.throws(() => forwarder.open({ url: 'http://me:hunter2@h/', secrets: {} }), {
      code: 'FORWARD_SECRET_IN_ADDRESS',
    });
    assert.throws(() => forwarder.open({ url: 'ftp://h/', secrets: {} }), { code: 'FORWARD_BAD_ADDRESS' });
  });
}

const APT = 'apt-get install';
const ODD =
  'm\\ 1,a\\,b=c\\ d\\=e,ü=\\"x f\\ 1=1.5,i=9007199254740993i,b=true,s="a \\"q\\" \\\\ é, =" 1700000000123456789';

describe('influx to a real InfluxDB', { skip: skipWithout('influxd', `${APT} influxdb`) }, () => {
  test('1, 3: exact to the nanosecond and the last bit, once, whatever the names', async () => {
    const place = await newServerPlace();
    const server = await startInfluxdb(place);
    after(() => server.stop().then(() => removePlace(place)));
    const { open } = await loadAdapter<Forwarder>('forwarders', 'influx');
    const connection = open({ url: server.url, secrets: {} });
    const batch = batchOf(`${ODD}\nn v=nan 1\nn v=2,w=3 2\n`);
    const missing = await connection.send(batch, never);
    assert.ok(missing.state === 'later' && /database not found/.test(missing.message));
    await influxRows(server.url, '', 'CREATE DATABASE db');
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await connection.send(batch, never), {
        state: 'done',
        sent: 6,
        leftOut: { 'not-finite': 1 },
      });
    }
    const rows = await influxRows(server.url, 'db', 'SELECT "f 1", b, s, "a,b", "ü" FROM "m 1"');
    assert.deepEqual(rows, [['1700000000123456789', 1.5, true, 'a "q" \\ é, =', 'c d=e', '\\"x']]);
    const search = new URLSearchParams({ db: 'db', q: 'SELECT i FROM "m 1"' });
    assert.match(await (await fetch(`${server.url}/query?${search}`)).text(), /9007199254740993/);
    assert.deepEqual(await influxRows(server.url, 'db', 'SELECT v, w FROM n'), [[2, 2, 3]]);
    const clash = await connection.send(batchOf('n v="text" 5\nn v2=1 6\nn w=4 7\n'), never);
    assert.ok(
      clash.state === 'done' && /field type conflict/.test(clash.message ?? ''),
      JSON.stringify(clash),
    );
    assert.deepEqual([clash.sent, clash.leftOut], [2, { refused: 1 }]);
  });
});

describe('influx to a real VictoriaMetrics', {
  skip: skipWithout('victoria-metrics', `${APT} victoria-metrics`),
}, () => {
  test('1: it takes our lines', async () => {
    const place = await newServerPlace();
    const server = await startVictoria(place);
    after(() => server.stop().then(() => removePlace(place)));
    const { open } = await loadAdapter<Forwarder>('forwarders', 'influx');
    const lines = [1, 2, 3].map((at) => `loss,job=a value=${at}.5 ${NOW_S - 10 + at}000000000`).join('\n');
    const delivery = await open({ url: server.url, secrets: {} }).send(batchOf(lines), never);
    assert.deepEqual(delivery, { state: 'done', sent: 3, leftOut: {} });
    await fetch(`${server.url}/internal/force_flush`);
    assert.deepEqual(await promSamples(server.url, 'loss_value', NOW_S), [
      [{ __name__: 'loss_value', db: 'db', job: 'a' }, [1, 2, 3].map((at) => [NOW_S - 10 + at, `${at}.5`])],
    ]);
  });
});

describe('prometheus to a real Prometheus', { skip: skipWithout('prometheus', `${APT} prometheus`) }, () => {
  test('1, 3: numbers arrive with legal names, texts are counted, what is too old keeps nothing back', async () => {
    const place = await newServerPlace();
    const server = await startPrometheus(place);
    after(() => server.stop().then(() => removePlace(place)));
    const { open } = await loadAdapter<Forwarder>('forwarders', 'prometheus');
    const connection = open({ url: `${server.url}/api/v1/write`, secrets: {} });
    const at = (second: number) => `${NOW_S - 100 + second}000000000`;
    const batch = batchOf(`gpu\\ load,ho-st=a\\ b,__x=y 1st=0.5,ok=true,note="x" ${at(1)}
gpu\\ load,ho-st=a\\ b,__x=y 1st=0.75 ${at(3)}\ngpu\\ load,ho-st=a\\ b,__x=y 1st=-2e300 ${at(2)}\n`);
    for (let time = 0; time < 2; time++) {
      const delivery = await connection.send(batch, never);
      assert.ok(delivery.state === 'done');
      assert.equal(delivery.leftOut['not-a-number'], 1);
      if (time === 0) assert.deepEqual([delivery.sent, delivery.message], [4, undefined]);
    }
    const metric = { __name__: 'gpu_load_1st', ho_st: 'a b', tag__x: 'y' };
    const stored = [
      [NOW_S - 99, '0.5'],
      [NOW_S - 98, '-2e+300'],
      [NOW_S - 97, '0.75'],
    ];
    assert.deepEqual(await promSamples(server.url, 'gpu_load_1st', NOW_S), [[metric, stored]]);
    assert.equal((await promSamples(server.url, 'gpu_load_ok', NOW_S)).length, 1);

    const old = batchOf(
      `gpu\\ load,ho-st=a\\ b,__x=y 1st=9 ${at(0)}\ngpu\\ load,ho-st=a\\ b,__x=y 1st=1 ${at(4)}\nother v=1 ${at(0)}\n`,
    );
    const delivery = await connection.send(old, never);
    assert.ok(delivery.state === 'done');
    assert.deepEqual([delivery.sent, delivery.leftOut], [2, { refused: 1 }]);
    assert.match(delivery.message ?? '', /out of order/);
    assert.equal((await promSamples(server.url, 'other_v', NOW_S)).length, 1);
  });

  test('a large batch is more than one piece of snappy', async () => {
    const place = await newServerPlace();
    const server = await startPrometheus(place);
    after(() => server.stop().then(() => removePlace(place)));
    const { open } = await loadAdapter<Forwarder>('forwarders', 'prometheus');
    const lines = Array.from({ length: 5000 }, (_, at) => `m,host=h${at} v=${at} ${NOW_S}000000000`).join(
      '\n',
    );
    const delivery = await open({ url: `${server.url}/api/v1/write`, secrets: {} }).send(
      batchOf(lines),
      never,
    );
    assert.deepEqual(delivery, { state: 'done', sent: 5000, leftOut: {} });
    assert.equal((await promSamples(server.url, 'm_v', NOW_S + 1)).length, 5000);
  });
});
