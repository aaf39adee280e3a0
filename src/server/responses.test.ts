import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { nightId } from '../../test/sample-home.ts';
import { type WholeServer, wholeServer } from '../../test/support/whole-server.ts';

let server: WholeServer;
let app: FastifyInstance;
before(async () => {
  server = await wholeServer();
  app = server.with();
});
after(() => server.close());

const get = (url: string, headers = {}, on = app) =>
  on.inject({ url, headers: { host: 'localhost', ...headers } });

test('documents have a tag, and who has it gets nothing again', async () => {
  for (const url of ['/api/experiments', '/api/experiments/sort', '/api/jobs', '/api/session', '/']) {
    const { headers, statusCode } = await get(url);
    assert.equal(statusCode, 200);
    assert.match(String(headers.etag), /^W\/"[\w-]{22}"$/, url);
    assert.match(String(headers['cache-control']), /no-cache/);
    const again = await get(url, { 'if-none-match': `"other", ${headers.etag}` });
    assert.deepEqual([again.statusCode, again.body], [304, ''], url);
    assert.equal(again.headers.etag, headers.etag);
    assert.equal((await get(url, { 'if-none-match': '"other"' })).statusCode, 200);
  }
  const files = '/files/data/sort/data_01-31-2026-0200.json';
  const { headers } = await get(files);
  assert.equal((await get(files, { 'if-none-match': headers.etag })).statusCode, 304);
});

test('what follows from the index is not made again for who has it', async () => {
  let version: string | undefined = 'one';
  let looks = 0;
  const index = {
    current: async () => {
      looks++;
      return undefined;
    },
    version: () => version,
  };
  const counting = server.with({}, { index });
  const first = await get('/api/runs', {}, counting);
  assert.deepEqual([first.statusCode, looks], [200, 1]);
  const known = { 'if-none-match': first.headers.etag };
  assert.equal((await get('/api/runs', known, counting)).statusCode, 304);
  assert.equal(looks, 1);
  assert.equal((await get('/api/runs?limit=1', known, counting)).statusCode, 200);
  version = 'two';
  assert.equal((await get('/api/runs', known, counting)).statusCode, 200);
  version = undefined;
  const plain = await get('/api/runs', {}, counting);
  assert.equal((await get('/api/runs', { 'if-none-match': plain.headers.etag }, counting)).statusCode, 304);
  const missing = await get('/api/runs/nothing', {}, counting);
  assert.deepEqual([missing.statusCode, missing.headers.etag], [404, undefined]);
});

test('who may not read learns nothing by a tag', async () => {
  const { headers } = await get('/api/runs');
  const guarded = server.with({ isLoopback: false, token: 'a-token-of-some-length' });
  assert.equal((await get('/api/runs', { 'if-none-match': headers.etag }, guarded)).statusCode, 401);
});

test('long answers are packed as the reader likes it', async () => {
  const plain = await get('/api/experiments');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.headers['vary'], 'accept-encoding');
  const packed = await get('/api/experiments', { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), plain.body);
  assert.equal(packed.headers.etag, plain.headers.etag);
  const zipped = await get('/api/experiments', { 'accept-encoding': 'br;q=0, gzip' });
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.body);
  assert.ok(zipped.rawPayload.length < plain.body.length / 3);
  const short = await get('/api/session', { 'accept-encoding': 'gzip' });
  assert.equal(short.headers['content-encoding'], undefined);
});

test('files of the page come as they were packed beforehand', async () => {
  const plain = await get('/style.css');
  for (const [accepted, encoding] of [
    ['gzip, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', undefined],
  ] as const) {
    const { headers, rawPayload } = await get('/style.css', { 'accept-encoding': accepted });
    assert.deepEqual([headers['content-encoding'], headers['vary']], [encoding, 'accept-encoding']);
    const unpacked =
      encoding === 'br'
        ? brotliDecompressSync(rawPayload)
        : encoding === 'gzip'
          ? gunzipSync(rawPayload)
          : rawPayload;
    assert.equal(unpacked.toString(), plain.body);
  }
});

test('files are packed while they are sent, pictures and parts are not', async () => {
  const log = `/api/runs/${nightId(0)}/logs/experiment/sort/run?whole=1`;
  const packed = await get(log, { 'accept-encoding': 'gzip' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers['content-length'], undefined);
  assert.equal(gunzipSync(packed.rawPayload).length, 1_200_021);
  const head = await app.inject({
    ...{ method: 'HEAD', url: log },
    headers: { host: 'localhost', 'accept-encoding': 'gzip' },
  });
  assert.equal(head.headers['content-encoding'], undefined);
});
