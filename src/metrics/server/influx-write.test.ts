import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { memoryPoints } from '../../../test/support/memory-points.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { createServer } from '../../server/create-server.ts';

const TOKEN = 'a token of enough characters';
let stored = memoryPoints(['d']);
let app = server();
beforeEach(() => {
  stored = memoryPoints(['d']);
  app = server();
});

function server(options: Partial<ServerOptions> = {}): FastifyInstance {
  const points = {
    ...stored,
    keepsNotFinite: false,
    nextTimestamp: () => ({ ms: 1_700_000_000_123, ns: 456_789 }),
    packets: async () => ({ isListening: true, lostByKernel: 3 }),
  };
  return createServer(
    { home: '/nowhere', isLoopback: true, ...options },
    {
      disk: localDisk,
      clock: { now: () => 0 },
      index: { current: async () => undefined },
      report: (line) => assert.fail(line),
      points,
    },
  );
}

const post = (url: string, payload: string | Buffer = '', headers: Record<string, string> = {}, on = app) =>
  on.inject({ method: 'POST', url, payload, headers: { host: 'localhost:4177', ...headers } });

test('GET and HEAD /ping say that the server is there', async () => {
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, headers, body } = await app.inject({
      method,
      url: '/ping',
      headers: { host: 'localhost' },
    });
    assert.deepEqual([statusCode, body], [204, '']);
    assert.match(String(headers['x-influxdb-version']), /^1\.8\./);
    assert.ok(headers['x-influxdb-build'] && headers['request-id']);
  }
  const { body } = await app.inject({ url: '/ping?verbose=true', headers: { host: 'localhost' } });
  assert.match(body, /^\{"version":"1\.8/);
});

test('good lines are stored: plain, compressed, of any content type, in any precision', async () => {
  const plain = await post('/write?db=d&rp=autogen&consistency=one&precision=s', 'm,a=1 v=1i 5\n', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.deepEqual([plain.statusCode, plain.body], [204, '']);
  assert.equal(
    (await post('/write?db=d', gzipSync('m v=2i 6'), { 'content-encoding': 'gzip' })).statusCode,
    204,
  );
  assert.equal(
    (await post('/api/v2/write?bucket=d/autogen&org=o&precision=us', 'm v=3i 7000')).statusCode,
    204,
  );
  assert.deepEqual(stored.points, ['m,a=1 v=1 integer', 'm v=2 integer', 'm v=3 integer']);
  assert.deepEqual(stored.times, ['5000+0', '0+6', '7+0']);
});

test('a content type that is empty or none is no reason to refuse', async () => {
  for (const type of ['', 'text', 'a/b/c', ';']) {
    const { statusCode } = await post('/write?db=d', 'm v=1i 5', { 'content-type': type });
    assert.equal(statusCode, 204, type);
    assert.equal((await post('/write?db=d', '', { 'content-type': type })).statusCode, 204, type);
  }
});

test('nothing to store is fine', async () => {
  for (const body of ['', '# only a comment\n\n'])
    assert.equal((await post('/write?db=d', body)).statusCode, 204);
});

test('every refusal has the status, the JSON text and the header of InfluxDB', async () => {
  await post('/write?db=d', 't6 value=1i 1');
  const cases: readonly (readonly [url: string, body: string, status: number, error: string])[] = [
    ['/write', 'm v=1', 400, 'database is required'],
    ['/write?db=nope', 'm v=1', 404, 'database not found: "nope"'],
    ['/write?db=d&consistency=some', 'm v=1', 400, 'invalid consistency level'],
    ['/write?db=d', 'm v=nan', 400, "unable to parse 'm v=nan': invalid number"],
    ['/write?db=d', 'm,a= v=1', 400, "unable to parse 'm,a= v=1': missing tag value"],
    ['/write?db=d', 'm v=1 12\r\n', 400, "unable to parse 'm v=1 12\r': bad timestamp"],
    [
      '/write?db=d',
      'm v=1 1\nm v=x 2\nm v=3 3\nm v=y',
      400,
      "partial write: unable to parse 'm v=x 2': invalid boolean\nunable to parse 'm v=y': invalid boolean dropped=0",
    ],
    [
      '/write?db=d',
      't6 value=1.5 2',
      400,
      'partial write: field type conflict: input field "value" on measurement "t6" is type float, already exists as type integer dropped=1',
    ],
    ['/api/v2/write', 'm v=1', 400, 'bucket is required'],
    ['/api/v2/write?bucket=d&precision=fortnights', 'm v=1', 400, 'invalid precision: fortnights'],
  ];
  for (const [url, body, status, error] of cases) {
    const answer = await post(url, body);
    assert.deepEqual([answer.statusCode, answer.json()], [status, { error }], `${url} ${body}`);
    assert.equal(answer.headers['x-influxdb-error'], error.replace(/[\n\r]/g, ' '));
    assert.equal(answer.headers['content-type'], 'application/json');
  }
  assert.deepEqual(stored.points, ['t6 value=1 integer', 'm v=1 float', 'm v=3 float']);
});

test('bodies that are too large or garbled are reported', async () => {
  const large = await post('/write?db=d', Buffer.alloc(25_000_001, 35));
  assert.deepEqual([large.statusCode, large.json()], [413, { error: 'Request Entity Too Large' }]);
  const bomb = await post('/write?db=d', gzipSync(Buffer.alloc(30_000_000, 35)), {
    'content-encoding': 'gzip',
  });
  assert.equal(bomb.statusCode, 413);
  const garbled = await post('/write?db=d', 'm v=1 12345678901', { 'content-encoding': 'gzip' });
  assert.deepEqual([garbled.statusCode, garbled.json()], [400, { error: 'gzip: invalid header' }]);
});

test('nan and inf are kept when a request asks', async () => {
  assert.equal((await post('/write?db=d&keep-not-finite=true', 'm v=nan,w=-inf 1')).statusCode, 204);
  assert.deepEqual(stored.points, ['m v=NaN float', 'm w=-Infinity float']);
});

test('with a token whoever writes shows it, in any of the usual ways', async () => {
  const guarded = server({ token: TOKEN });
  const basic = `Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}`;
  for (const authorization of [`Bearer ${TOKEN}`, `Token ${TOKEN}`, `Token user:${TOKEN}`, basic]) {
    assert.equal(
      (await post('/write?db=d', 'm v=1 1', { authorization }, guarded)).statusCode,
      204,
      authorization,
    );
  }
  const byParameter = `/write?db=d&u=user&p=${encodeURIComponent(TOKEN)}`;
  assert.equal((await post(byParameter, 'm v=1 1', {}, guarded)).statusCode, 204);
  const without = await post('/write?db=d', 'm v=1', {}, guarded);
  assert.deepEqual(
    [without.statusCode, without.json()],
    [401, { error: 'unable to parse authentication credentials' }],
  );
  const wrong = await post('/write?db=d&p=wrong', 'm v=1', {}, guarded);
  assert.deepEqual([wrong.statusCode, wrong.json()], [401, { error: 'authorization failed' }]);
});

test('beyond this machine nobody writes without a token, even where everybody reads', async () => {
  assert.equal((await post('/write?db=d', 'm v=1', {}, server({ isLoopback: false }))).statusCode, 403);
  const open = server({ isLoopback: false, writeToken: TOKEN });
  assert.equal((await post('/write?db=d', 'm v=1', {}, open)).statusCode, 401);
  assert.equal(
    (await post('/write?db=d', 'm v=1', { authorization: `Token ${TOKEN}` }, open)).statusCode,
    204,
  );
});

test('a page of another site cannot write through a browser', async () => {
  assert.equal((await post('/write?db=d', 'm v=1', { origin: 'http://evil.example' })).statusCode, 403);
  assert.equal((await post('/write?db=d', 'm v=1', { origin: 'http://localhost:4177' })).statusCode, 204);
  assert.equal(stored.points.length, 1);
});

test('what was refused is counted by reason, with the line, as JSON and for Prometheus', async () => {
  await post('/write?db=d', 'm v=1 1\nm v=nan 2\nm v=1i 3\n,x\nm v=1 1.5');
  const { body } = await app.inject({ url: '/api/ingest', headers: { host: 'localhost' } });
  const report = JSON.parse(body);
  assert.deepEqual(report.sources.http, { messages: 1, bytes: 39, lines: 5, values: 1, refusedLines: 4 });
  assert.deepEqual(report.refused, { 'not-finite': 1, syntax: 1, time: 1, 'type-conflict': 1 });
  assert.deepEqual(report.packets, { isListening: true, lostByKernel: 3, lost: {} });
  assert.deepEqual(
    report.latest.map(({ line }: { line: string }) => line),
    ['m v=1 1.5', ',x', 'm v=1i 3', 'm v=nan 2'],
  );
  const metrics = (await app.inject({ url: '/metrics', headers: { host: 'localhost' } })).body;
  assert.match(metrics, /\nnightmark_ingest_refused_lines_total\{reason="type-conflict"\} 1\n/);
  assert.match(metrics, /\nnightmark_ingest_lost_packets_total\{reason="kernel"\} 3\n# EOF\n$/);
});
