import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ApiError, KubeApi } from './kube-api.ts';

const asked: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  const { method, url, headers } = request;
  asked.push([method, url, headers['authorization'], headers['content-type'], body].join(' '));
  answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});

let token = 0;
const { port } = server.address() as AddressInfo;
const api = new KubeApi({
  server: new URL(`http://127.0.0.1:${port}/base/`),
  namespace: 'x',
  options: async (isRefused) => {
    if (isRefused) token++;
    return { headers: { Authorization: `Bearer t${token}` } };
  },
});
const answerAll = (next: typeof answer) => {
  answer = next;
  asked.length = 0;
};

test('a call carries credentials, query and JSON; refused credentials are read anew, once', async () => {
  answerAll((request, response) => {
    if (request.headers['authorization'] === 'Bearer t0') response.writeHead(401).end();
    else response.end('{"kind":"Job"}');
  });
  const call = { method: 'POST', query: { limit: '1' }, body: { a: 'é' } } as const;
  assert.deepEqual(await api.call('/jobs', call), { kind: 'Job' });
  assert.deepEqual(asked, [
    'POST /base/jobs?limit=1 Bearer t0 application/json {"a":"é"}',
    'POST /base/jobs?limit=1 Bearer t1 application/json {"a":"é"}',
  ]);
  answerAll((_, response) => void response.writeHead(401).end('{"message":"who are you"}'));
  await assert.rejects(api.call('/jobs'), { status: 401, message: 'who are you' });
  assert.equal(asked.length, 2);
});

test('what passes is tried again, what does not is thrown with the words of the API', async () => {
  answerAll((_, response) => {
    if (asked.length === 1) response.destroy();
    else if (asked.length === 2) response.writeHead(429, { 'retry-after': '0' }).end();
    else response.end('{}');
  });
  assert.deepEqual(await api.call('/jobs', { method: 'PATCH', body: {} }), {});
  assert.equal(asked.length, 3);
  assert.match(asked[0] ?? '', /strategic-merge-patch\+json/);
  answerAll((_, response) => void response.writeHead(409).end('{"message":"already there"}'));
  await assert.rejects(api.call('/jobs'), { status: 409, message: 'already there' });
  assert.equal(asked.length, 1);
  answerAll((_, response) => void response.writeHead(503).end());
  await assert.rejects(api.call('/jobs', { tryForMs: 0 }), {
    status: 503,
    message: 'the API answered 503',
  });
});

test('a stream that breaks off, is silent, or is stopped says so', async () => {
  answerAll((_, response) => {
    response.write('one');
    setTimeout(() => response.destroy(), 20);
  });
  const read = async (stream: AsyncIterable<Buffer>) => {
    let text = '';
    for await (const piece of stream) text += piece;
    return text;
  };
  await assert.rejects(read(await api.open('/log', {})), { name: 'HttpFailure' });
  answerAll(() => undefined);
  await assert.rejects(api.open('/log', { idleMs: 50 }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 0);
    assert.match(error.message, /^127\.0\.0\.1:\d+ cannot be reached: no byte for 0\.05 seconds$/);
    return true;
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await assert.rejects(api.call('/jobs', { signal: controller.signal }), { status: 0 });
  assert.equal(asked.length, 2);
});
