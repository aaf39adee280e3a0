import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type WholeServer, wholeServer } from '../../../../test/support/whole-server.ts';
import type { AccessToken, Scope } from '../../core/access-token.ts';
import { FailureLimit } from './access.ts';
import { tokenHashes } from './presented-tokens.ts';

const TOKEN = 'a-token-of-some-length';
let server: WholeServer;
before(async () => {
  server = await wholeServer(1);
});
after(() => server.close());

const made = (name: string, scope: Scope, expiresAt?: number): AccessToken => ({
  ...{ name, scope, createdAt: 0, ...tokenHashes(`nm_${name}`) },
  ...(expiresAt !== undefined && { expiresAt }),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const status = async (
  on: FastifyInstance,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  headers: Record<string, string> = {},
) => (await on.inject({ method, url, headers: { host: 'localhost', ...headers } })).statusCode;

test('a token opens what its scope says, and no more', async () => {
  const all = [made('reader', 'read'), made('writer', 'write'), made('boss', 'admin')];
  const app = server.with({ isLoopback: false, asksReaders: true }, { tokens: { current: () => all } });
  const of = async (name: string, headers = bearer(`nm_${name}`)) => [
    await status(app, 'GET', '/api/status', headers),
    await status(app, 'POST', '/api/jobs/nothing/cancel', headers),
    await status(app, 'POST', '/write?db=d', headers),
    await status(app, 'POST', '/query?q=CREATE+DATABASE+e', headers),
    await status(app, 'POST', '/query?q=DROP+DATABASE+e', headers),
  ];
  assert.deepEqual(await of('nobody'), [401, 401, 401, 401, 401]);
  assert.deepEqual(await of('reader'), [200, 403, 403, 403, 403]);
  assert.deepEqual(await of('writer'), [200, 404, 204, 200, 403]);
  assert.deepEqual(await of('boss'), [200, 404, 204, 200, 200]);
  assert.equal(await status(app, 'GET', '/api/status'), 401);
});

test('the page is reported who asks', async () => {
  const all = [made('reader', 'read'), made('writer', 'write')];
  const session = async (options: object, headers = {}) => {
    const app = server.with(options, { tokens: { current: () => all } });
    return (await app.inject({ url: '/api/session', headers: { host: 'localhost', ...headers } })).json();
  };
  const everything = { scopes: ['read', 'write', 'admin'], isReadOnly: false };
  assert.deepEqual(await session({}), everything);
  assert.deepEqual(await session({ isReadOnly: true }), { scopes: ['read'], isReadOnly: true });
  const guarded = { isLoopback: false, token: TOKEN };
  assert.deepEqual(await session(guarded), { scopes: [], isReadOnly: false });
  assert.deepEqual(await session(guarded, bearer('nm_writer')), {
    ...{ name: 'writer', scopes: ['read', 'write'], isReadOnly: false },
  });
  assert.deepEqual((await session(guarded, bearer(TOKEN))).scopes, ['read', 'write', 'admin']);
  assert.deepEqual((await session({ isLoopback: false })).scopes, ['read']);
});

test('a token that has expired or was revoked is worth nothing at once, also for who logged in', async () => {
  let all: readonly AccessToken[] = [made('a', 'read', server.world.now + 1000), made('b', 'read')];
  const app = server.with({ isLoopback: false, asksReaders: true }, { tokens: { current: () => all } });
  const login = await app.inject({
    ...{ method: 'POST', url: '/login', payload: 'token=nm_b' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(login.statusCode, 303);
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  assert.match(String(login.headers['set-cookie']), /HttpOnly; SameSite=Strict/);
  assert.ok(!cookie.includes('nm_b'));
  assert.equal(await status(app, 'GET', '/api/status', { cookie }), 200);
  assert.equal(await status(app, 'GET', '/api/status', bearer('nm_a')), 200);
  server.world.now += 1000;
  assert.equal(await status(app, 'GET', '/api/status', bearer('nm_a')), 401);
  all = [made('a', 'read')];
  assert.equal(await status(app, 'GET', '/api/status', { cookie }), 401);
  assert.equal(await status(app, 'GET', '/api/status', bearer('nm_a')), 200);
  const [stored] = all;
  assert.equal(await status(app, 'GET', '/api/status', bearer(stored?.hash ?? '')), 401);
  assert.equal(await status(app, 'GET', '/api/status', { cookie: `nightmark=${stored?.pageHash}` }), 401);
  const out = await app.inject({ method: 'POST', url: '/logout' });
  assert.match(String(out.headers['set-cookie']), /^nightmark=; .*Max-Age=0$/);
});

test('on this machine tokens add a right, and take none away', async () => {
  const app = server.with({}, { tokens: { current: () => [made('ci', 'write'), made('eye', 'read')] } });
  assert.equal(await status(app, 'GET', '/api/status'), 200);
  assert.equal(await status(app, 'POST', '/write?db=d'), 204);
  assert.equal(await status(app, 'POST', '/api/jobs'), 401);
  assert.equal(await status(app, 'POST', '/api/jobs', bearer('nm_eye')), 403);
  assert.equal(await status(app, 'POST', '/api/jobs', bearer('nm_ci')), 400);
  assert.equal(await status(server.with(), 'POST', '/api/jobs'), 403);
});

test('pages of other sites change nothing', async () => {
  const app = server.with();
  for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    assert.equal(await status(app, 'POST', '/api/jobs/x/cancel', headers as Record<string, string>), 403);
    assert.equal(await status(app, 'POST', '/write?db=d', headers as Record<string, string>), 403);
    assert.equal(
      await status(app, 'GET', '/query?q=DROP+DATABASE+d', headers as Record<string, string>),
      403,
    );
  }
});

test('whoever tries tokens is slowed down, and others are not', async () => {
  const app = server.with({ isLoopback: false, token: TOKEN });
  const from = (remoteAddress: string, token: string) =>
    app.inject({ url: '/api/status', remoteAddress, headers: bearer(token) });
  for (let guess = 0; guess < 60; guess++)
    assert.equal((await from('192.0.2.1', `guess ${guess}`)).statusCode, 401);
  const late = await from('192.0.2.1', TOKEN);
  assert.equal(late.statusCode, 429);
  assert.equal(late.headers['retry-after'], '60');
  assert.match(late.json().error, /Too many wrong tokens/);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const login = { method: 'POST', url: '/login', payload: `token=${TOKEN}`, headers: form } as const;
  assert.equal((await app.inject({ ...login, remoteAddress: '192.0.2.1' })).statusCode, 429);
  assert.equal((await from('192.0.2.2', TOKEN)).statusCode, 200);
  server.world.now += 60_000;
  assert.equal((await from('192.0.2.1', TOKEN)).statusCode, 200);
});

test('the memory for failures is bounded', () => {
  const limit = new FailureLimit();
  for (let guess = 0; guess < 60; guess++) limit.count('first', 0);
  assert.equal(limit.waitSeconds('first', 0), 60);
  for (let address = 0; address < 10_000; address++) limit.count(`other ${address}`, 1);
  assert.equal(limit.waitSeconds('first', 1), 0);
});
