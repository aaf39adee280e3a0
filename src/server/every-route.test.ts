import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { nightId } from '../../test/sample-home.ts';
import { jobId } from '../../test/support/job-specs.ts';
import { schemaProblems } from '../../test/support/matches-schema.ts';
import { type WholeServer, wholeServer } from '../../test/support/whole-server.ts';
import { isForPages, type KnownRoute } from './openapi.ts';

const TOKEN = 'a-token-of-some-length';
/** POST, and yet they read until the body says otherwise. */
const ASKED_BY_POST = ['/query', '/graphql'];
const OPEN = ['/health', '/ping', '/login', '/logout', '/style.css', '/icon.svg', '/api/session'];
/** Never end. */
const STREAMS = ['/api/events', '/api/jobs/events'];

let server: WholeServer;
let app: FastifyInstance;
before(async () => {
  server = await wholeServer();
  app = server.with();
  await app.ready();
});
after(() => server.close());

/** An address of the route that leads somewhere in the sample home. */
function addressOf({ url }: KnownRoute): string {
  const isJob = url.includes('/jobs/') || url.startsWith('/file/');
  return url
    .replace(':name', 'sort')
    .replace(':page', '0')
    .replace(':experiment', 'sort')
    .replace(':id', isJob ? jobId(3) : nightId(0))
    .replace(':kind', 'experiment')
    .replace(':task', 'broken')
    .replace(':stage', 'run')
    .replace(':page', '0')
    .replace(/\*$/, 'x.txt');
}

const ask = (on: FastifyInstance, route: KnownRoute, headers = {}) =>
  on.inject({
    method: route.method as 'GET',
    url: addressOf(route),
    headers: { host: 'localhost', ...headers },
  });

test('every route that is not for browsers describes itself', () => {
  const silent = app.knownRoutes.filter((route) => !isForPages(route) && route.config.doc === undefined);
  assert.deepEqual(
    silent.map(({ method, url }) => `${method} ${url}`),
    [],
  );
  assert.ok(app.knownRoutes.length > 40);
});

test('answers are what their description says', async () => {
  const documents = app.knownRoutes.filter(
    ({ method, url, config: { doc } }) =>
      method === 'GET' && doc && !('media' in doc.answer) && !STREAMS.includes(url),
  );
  const checked: string[] = [];
  for (const route of documents) {
    const { doc } = route.config;
    if (doc === undefined || 'media' in doc.answer) continue;
    const { statusCode, body } = await ask(app, route);
    if (statusCode === 400 && /latest|graphql|jobs\/code|compare\/series|points\/extent/.test(route.url))
      continue;
    // The sample home has no change of that name, and no duet.
    if (statusCode === 404 && /(?:changes|duets|machines)\/:id|compare\/series|curves\/data/.test(route.url))
      continue;
    assert.equal(statusCode, 200, `${addressOf(route)}: ${body.slice(0, 200)}`);
    assert.deepEqual(schemaProblems(JSON.parse(body), doc.answer).slice(0, 5), [], route.url);
    checked.push(route.url);
  }
  assert.ok(checked.length >= 15, checked.join(' '));
});

test('OpenAPI 3.1 names every described route with its parameters and scope', async () => {
  const { body } = await app.inject({ url: '/api/openapi.json', headers: { host: 'localhost' } });
  const { openapi, paths } = JSON.parse(body);
  assert.equal(openapi, '3.1.0');
  const run = paths['/api/runs/{id}'].get;
  assert.deepEqual(run.parameters, [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]);
  assert.equal(run['x-scope'], 'read');
  assert.deepEqual(run.tags, ['runs']);
  assert.equal(paths['/api/jobs'].post['x-scope'], 'write');
  assert.equal(paths['/health'].get.security, undefined);
  const described = app.knownRoutes.filter(({ config }) => config.doc !== undefined);
  const operations = Object.values(paths as object).flatMap((path) => Object.values(path as object));
  assert.equal(operations.length, described.length);
  const ids = operations.map((one) => one.operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test('whatever changes something says which scope it needs', () => {
  const changing = app.knownRoutes.filter(({ method }) => method !== 'GET');
  assert.ok(changing.length >= 8);
  for (const { method, url, config } of changing) {
    const known = OPEN.includes(url) ? ['open'] : ASKED_BY_POST.includes(url) ? ['read'] : ['write', 'admin'];
    assert.ok(known.includes(config.scope ?? 'none'), `${method} ${url}: ${config.scope}`);
  }
});

test('beyond this machine nothing is answered without a token, and nothing written with one that only reads', async () => {
  const guarded = server.with({ isLoopback: false, token: TOKEN });
  await guarded.ready();
  for (const route of guarded.knownRoutes) {
    if (OPEN.includes(route.url)) continue;
    const { statusCode } = await ask(guarded, route);
    assert.equal(statusCode, 401, `${route.method} ${route.url}`);
  }
  const open = server.with({ isLoopback: false });
  for (const route of guarded.knownRoutes) {
    if (!['write', 'admin'].includes(route.config.scope ?? '')) continue;
    const { statusCode } = await ask(open, route);
    assert.equal(statusCode, 403, `--public: ${route.method} ${route.url}`);
  }
});

test('a read-only server changes nothing for anybody', async () => {
  const fixed = server.with({ isReadOnly: true, token: TOKEN });
  await fixed.ready();
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const route of fixed.knownRoutes) {
    if (!['write', 'admin'].includes(route.config.scope ?? '')) continue;
    const { statusCode, body } = await ask(fixed, route, headers);
    assert.equal(statusCode, 403, `${route.method} ${route.url}`);
    assert.match(body, /read-only/);
  }
  const send = (url: string, payload: object | string) =>
    fixed.inject({ method: 'POST', url, payload, headers: { host: 'localhost', ...headers } });
  assert.equal((await send('/query?q=DROP+DATABASE+d', '')).statusCode, 403);
  assert.equal((await send('/query?q=SHOW+DATABASES', '')).statusCode, 200);
  const mutation = { query: 'mutation { annotateJob(id: "x", key: "star", value: true) { id } }' };
  assert.ok((await send('/graphql', mutation)).statusCode >= 400);
  const status = await fixed.inject({ url: '/api/status', headers: { host: 'localhost', ...headers } });
  assert.equal(status.json().isReadOnly, true);
});

test('every answer, whatever its status, may run nothing but what is ours', async () => {
  for (const route of app.knownRoutes) {
    if (STREAMS.includes(route.url) || route.method !== 'GET') continue;
    const { headers } = await ask(app, route);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'/, route.url);
    assert.ok(!/script-src[^;]*unsafe/.test(policy), route.url);
    assert.equal(headers['x-content-type-options'], 'nosniff', route.url);
    assert.equal(headers['referrer-policy'], 'no-referrer', route.url);
    assert.equal(headers['access-control-allow-origin'], undefined, route.url);
    if (policy.includes('unsafe-inline')) assert.match(policy, /sandbox$/, route.url);
  }
  assert.deepEqual(server.reports, []);
});
