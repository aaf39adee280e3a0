import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../platform/adapters/system-clock.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { createServer } from '../../server/create-server.ts';
import openSqliteStorage from '../adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../app/point-engine.ts';
import { IngestCounters } from '../core/lines/ingest-counters.ts';

const TOKEN = 'a token of enough characters';
const TOKEN_HEADER = { authorization: `Token ${TOKEN}` };
const READING = 'SHOW DATABASES; SELECT * FROM m';
const WRITING = 'SHOW DATABASES; CREATE DATABASE e';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-access-'));
let engine: PointEngine;
before(async () => {
  engine = await PointEngine.open(await openSqliteStorage(folder), { clock: systemClock });
  await engine.createDatabase('d');
});
after(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isForm?: boolean;
}

/** The status that a question gets. */
async function ask(options: Partial<ServerOptions>, q: string, asked: Asked = {}): Promise<number> {
  const app = createServer(
    { home: '/nowhere', isLoopback: true, ...options },
    {
      disk: localDisk,
      clock: { now: () => 0 },
      index: { current: async () => undefined },
      report: (line) => assert.fail(line),
      points: {
        writer: engine,
        reader: engine,
        admin: engine,
        counters: new IngestCounters(),
        keepsNotFinite: false,
        nextTimestamp: () => ({ ms: 0, ns: 0 }),
        packets: async () => ({ isListening: false }),
      },
    },
  );
  const { method = 'POST', path = '/query', headers = {}, isForm = false } = asked;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const search = new URLSearchParams({ db: 'd', ...(isForm ? {} : { q }) });
  const { statusCode } = await app.inject({
    method,
    url: `${path}?${search}`,
    headers: { host: 'localhost:4177', ...(isForm && form), ...headers },
    ...(isForm && { payload: String(new URLSearchParams({ q })) }),
  });
  await app.close();
  return statusCode;
}

test('where everybody reads, a posted question that only reads needs no token', async () => {
  const open = { isLoopback: false, writeToken: TOKEN };
  assert.equal(await ask(open, READING), 200);
  assert.equal(await ask(open, READING, { isForm: true }), 200);
  assert.equal(await ask(open, READING, { method: 'GET' }), 200);
});

test('where everybody reads, a question that changes something needs the token, however it is asked', async () => {
  const open = { isLoopback: false, writeToken: TOKEN };
  for (const asked of [{ method: 'GET' }, { isForm: true }, { path: '/%71uery' }, {}] as const) {
    assert.equal(await ask(open, WRITING, asked), 401, JSON.stringify(asked));
    assert.equal(await ask({ isLoopback: false }, WRITING, asked), 403, JSON.stringify(asked));
  }
  assert.deepEqual(engine.databases(), ['d']);
  assert.equal(await ask(open, WRITING, { headers: TOKEN_HEADER }), 200);
  assert.deepEqual(engine.databases(), ['d', 'e']);
  await engine.dropDatabase('e');
});

test('an address that is written in another way still needs the token to write', async () => {
  const open = { isLoopback: false, writeToken: TOKEN };
  assert.equal(await ask(open, '', { path: '/%77rite' }), 401);
  assert.equal(await ask(open, '', { path: '/api/v2/wri%74e' }), 401);
});

test('where reading needs the token, every question does', async () => {
  const closed = { token: TOKEN };
  for (const q of [READING, WRITING, 'nonsense']) assert.equal(await ask(closed, q), 401);
  assert.equal(await ask(closed, READING, { headers: TOKEN_HEADER }), 200);
});

test('an image on a page of another site changes nothing', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  assert.equal(await ask({}, 'DROP DATABASE d', { method: 'GET', headers }), 403);
  assert.deepEqual(engine.databases(), ['d']);
});
