import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  authorization,
  excerpt,
  exchange,
  HttpFailure,
  type HttpProblem,
  httpUrl,
  pause,
  send,
  shownUrl,
  withRetries,
} from './http.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handler: Handler = (_, response) => response.end();
let asked = 0;
const server = createServer((request, response) => {
  asked++;
  handler(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?secret=query`);
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Answers as told from now on. */
function answering(next: Handler): void {
  handler = next;
  asked = 0;
}

async function problemOf(work: Promise<unknown>): Promise<HttpProblem> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HttpFailure, String(error));
  assert.doesNotMatch(error.message, /secret/);
  return error.problem;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}

const whole = { url, maxBytes: 1000 };

test('method, headers, body and answer arrive as they are', async () => {
  answering(async (request, response) => {
    const { method, headers } = request;
    const { 'content-length': length, 'user-agent': agent, 'x-a': a } = headers;
    response.writeHead(201, 'Made', { 'x-b': 'b' });
    response.end(JSON.stringify([method, length, agent, a, await bodyOf(request)]));
  });
  for (const body of ['é', Buffer.from('é')]) {
    const answer = await exchange({ ...whole, method: 'PUT', headers: { 'x-a': 'a' }, body });
    assert.deepEqual([answer.status, answer.statusText, answer.header('x-b')], [201, 'Made', 'b']);
    assert.deepEqual(JSON.parse(answer.text), ['PUT', '2', 'nightmark', 'a', 'é']);
  }
});

test('bodies stream both ways, and the pieces of one that is sent may be used again', async () => {
  answering((request, response) => void request.pipe(response));
  const piece = Buffer.alloc(64 * 1024);
  const body = {
    size: piece.length * 100,
    async *bytes() {
      for (let number = 0; number < 100; number++) yield piece.fill(number);
    },
  };
  const { bytes } = await send({ url, method: 'POST', body });
  let size = 0;
  for await (const part of bytes) {
    for (const byte of part) if (byte !== Math.floor(size++ / piece.length)) assert.fail(`byte ${size}`);
  }
  assert.equal(size, body.size);
});

test('what the body throws is thrown, and an answer before its end counts', async () => {
  answering(() => undefined);
  const reason = new Error('no such file');
  const body = {
    size: 10,
    async *bytes() {
      yield Buffer.from('x');
      throw reason;
    },
  };
  await assert.rejects(send({ url, method: 'PUT', body }), reason);
  answering((_, response) => void response.writeHead(403, { connection: 'close' }).end('no'));
  const endless = {
    size: 2 ** 40,
    async *bytes() {
      for (;;) {
        yield Buffer.alloc(1000);
        await pause(1);
      }
    },
  };
  const answer = await exchange({ ...whole, method: 'PUT', body: endless });
  assert.deepEqual([answer.status, answer.text], [403, 'no']);
});

test('silence, slowness and an interruption end it, before the answer and within', async () => {
  answering(() => undefined);
  assert.equal(await problemOf(exchange({ ...whole, idleMs: 50 })), 'timed-out');
  assert.equal(await problemOf(exchange({ ...whole, totalMs: 50 })), 'timed-out');
  const drip: Handler = (_, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  };
  answering(drip);
  assert.equal(await problemOf(exchange({ ...whole, totalMs: 100 })), 'timed-out');
  answering((_, response) => void response.write('x'));
  assert.equal(await problemOf(exchange({ ...whole, idleMs: 50 })), 'timed-out');
  const early = new AbortController();
  early.abort();
  assert.equal(await problemOf(send({ url, signal: early.signal })), 'interrupted');
  const late = new AbortController();
  answering((_, response) => {
    response.write('x');
    setTimeout(() => late.abort(), 20);
  });
  assert.equal(await problemOf(exchange({ ...whole, signal: late.signal })), 'interrupted');
});

test('an answer that breaks off, a server that is none, and a header that cannot be sent', async () => {
  answering((_, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('x');
    setTimeout(() => response.destroy(), 20);
  });
  assert.equal(await problemOf(exchange(whole)), 'no-connection');
  const headers = { authorization: 'Bearer secret\n' };
  assert.equal(await problemOf(exchange({ ...whole, headers })), 'no-connection');
  const free = createSocketServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const nobody = new URL(`http://127.0.0.1:${port}/secret`);
  assert.equal(await problemOf(exchange({ url: nobody, maxBytes: 1 })), 'no-connection');
});

test('an answer that is too large is refused, or cut', async () => {
  answering((_, response) => void response.end('x'.repeat(100_000)));
  assert.equal(await problemOf(exchange(whole)), 'too-large');
  assert.equal((await exchange({ ...whole, isCut: true })).text.length, 1000);
});

test('a text that was packed without being asked for is unpacked, up to the limit', async () => {
  answering((_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('é'.repeat(400))));
  assert.equal((await exchange(whole)).text, 'é'.repeat(400));
  assert.equal(await problemOf(exchange({ ...whole, maxBytes: 700 })), 'too-large');
  answering((_, response) => response.setHeader('content-encoding', 'gzip').end('no gzip'));
  assert.equal(await problemOf(exchange(whole)), 'no-connection');
});

test('a free connection that the server gave up is no failure of a GET', async () => {
  const connections: Socket[] = [];
  const rude = createSocketServer((socket) => {
    const isFirst = connections.push(socket) === 1;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (isFirst && ++requests === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
  const address = new URL(`http://127.0.0.1:${(rude.address() as AddressInfo).port}/`);
  for (let round = 0; round < 2; round++) {
    assert.equal((await exchange({ url: address, maxBytes: 10 })).text, 'ok');
    await pause(20); // until the connection is free
  }
  assert.equal(connections.length, 2);
  for (const socket of connections) socket.destroy();
  rude.close();
});

const few = { givesUp: (tries: number) => tries === 4, firstPauseMs: 1 };

test('what may pass is asked again, a few times', async () => {
  const statuses = [503, 429, 200];
  answering((_, response) => void response.writeHead(statuses[asked - 1] ?? 500).end(`${asked}`));
  const passes = (status: number) => status === 0 || status >= 429;
  const answer = await withRetries(() => exchange(whole), { ...few, passes });
  assert.deepEqual([answer.status, answer.text, asked], [200, '3', 3]);
  answering((_, response) => void response.writeHead(503).end());
  assert.equal((await withRetries(() => exchange(whole), { ...few, passes })).status, 503);
  assert.equal(asked, 4);
  answering((_, response) => void response.writeHead(404).end());
  assert.equal((await withRetries(() => exchange(whole), { ...few, passes: () => false })).status, 404);
  assert.equal(asked, 1);
  answering((_, response) => void response.destroy());
  const post = () => exchange({ ...whole, method: 'POST' });
  assert.equal(await problemOf(withRetries(post, { ...few, passes })), 'no-connection');
  assert.equal(asked, 4);
});

test('Retry-After is waited for, and an interruption ends the wait', async () => {
  answering((_, response) => void response.writeHead(503, { 'retry-after': '100' }).end());
  assert.equal((await exchange(whole)).retryAfterMs, 100_000);
  const controller = new AbortController();
  const { signal } = controller;
  setTimeout(() => controller.abort(), 50);
  const ask = () => exchange({ ...whole, signal });
  const problem = await problemOf(withRetries(ask, { ...few, passes: () => true, signal }));
  assert.deepEqual([problem, asked], ['interrupted', 2]);
});

test('addresses and words are shown without secrets and on one line', () => {
  assert.equal(shownUrl(new URL('https://user:password@host:1/path?key=1')), 'https://host:1/path');
  assert.equal(excerpt(' a\n\u001b b ', 4), ': a \u241b ');
  assert.equal(excerpt('  '), '');
  assert.deepEqual([httpUrl('ftp://host')?.href, httpUrl('no')?.href], [undefined, undefined]);
  assert.equal(httpUrl('http://host')?.href, 'http://host/');
  assert.deepEqual(authorization({ user: 'u', password: 'p' }, 'Token'), { authorization: 'Basic dTpw' });
  assert.deepEqual(authorization({ user: 'u', token: 't' }, 'Token'), { authorization: 'Token t' });
});
