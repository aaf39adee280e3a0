import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { makeJobHistory } from '../../../test/support/job-history.ts';
import { jobId } from '../../../test/support/job-specs.ts';
import { watchIndex } from '../../home/cli/home-index.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { createServer } from '../../server/create-server.ts';
import openSqliteQueue from '../adapters/queues/sqlite/sqlite.ts';
import type { ComparedDocument } from '../core/compare-jobs.ts';
import type { JobQueue } from '../core/job-queue.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark jobs-'));
const results = join(home, 'results');
const index = watchIndex(home);
const TOKEN = 'a token of the test';
const reports: string[] = [];
const apps: FastifyInstance[] = [];
let queue: JobQueue;
let app: FastifyInstance;
let seed = 1;
let now = 1_700_000_000_500;

const serverWith = (options: Partial<ServerOptions>) => {
  const effects = {
    disk: localDisk,
    clock: { now: () => now },
    index,
    report: (line: string) => void reports.push(line),
  };
  const jobs = {
    ...{ queue, results, randomSeed: () => seed++, clock: { sleep: async () => {} } },
    isAlive: () => undefined,
  };
  const made = createServer({ home, isLoopback: true, ...options }, { ...effects, jobs });
  apps.push(made);
  return made;
};

before(async () => {
  mkdirSync(join(home, '.nightmark'));
  queue = await openSqliteQueue({ place: homeLayout(home).jobs, now: () => now });
  await makeJobHistory(queue, results);
  app = serverWith({});
});
after(async () => {
  for (const one of apps) await one.close();
  await queue.close();
  index.close();
  rmSync(home, { recursive: true });
  assert.deepEqual(reports, []);
});

interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly on?: FastifyInstance;
}
const send = (method: 'GET' | 'POST' | 'DELETE', url: string, { body, headers = {}, on = app }: Sent = {}) =>
  on.inject({
    ...{ method, url, headers: { host: 'localhost:4177', ...headers } },
    ...(body !== undefined && { payload: body as object }),
  });
const get = (url: string, sent?: Sent) => send('GET', url, sent);
const graphql = async (query: string, variables = {}) => {
  const { body } = await send('POST', '/graphql', { body: { query, variables } });
  return JSON.parse(body) as { data?: Record<string, unknown>; errors?: { message: string }[] };
};
const idsOf = async (args: string) => {
  const { data } = await graphql(`{ jobs${args} { id } }`);
  return ((data?.['jobs'] ?? []) as { id: string }[]).map(({ id }) => Number.parseInt(id, 16));
};

test('GraphQL finds jobs, newest first, and its limit counts matches', async () => {
  assert.deepEqual(await idsOf(''), [3, 2, 1]);
  assert.deepEqual(await idsOf('(limit: 0)'), [3, 2, 1]);
  assert.deepEqual(await idsOf('(limit: 2)'), [3, 2]);
  assert.deepEqual(await idsOf('(status: QUEUE)'), [3, 2]);
  assert.deepEqual(await idsOf('(status: FAILED, search: null, user: null)'), [1]);
  assert.deepEqual(await idsOf(`(ids: ["${jobId(2)}", "nonsense", null])`), [2]);
  assert.deepEqual(await idsOf('(job: "job-1")'), [1]);
  assert.deepEqual(await idsOf('(job: "job")'), []);
  assert.deepEqual(await idsOf('(search: "b-[12]$")'), [2, 1]);
  assert.deepEqual(await idsOf('(search: "JOB")'), []);
  assert.deepEqual(await idsOf('(search: "js:lr < 0.15", limit: 1)'), [1]);
  assert.deepEqual(await idsOf('(search: "js:model.depth == 18")'), [3]);
});

test('a search runs no code, and what cannot be read matches nothing', async () => {
  for (const search of ['js:process.exit()', 'js:lr >', "js:require('fs')", 'js:while(1){}', '(a+)+$'])
    assert.deepEqual(await idsOf(`(search: ${JSON.stringify(search)})`), [], search);
});

test('a silent job is unresponsive, and neither running nor in the queue', async () => {
  const before = now;
  now += 21_000;
  assert.deepEqual(await idsOf('(status: UNRESPONSIVE)'), [2]);
  assert.deepEqual(await idsOf('(status: RUNNING)'), []);
  assert.deepEqual(await idsOf('(status: QUEUE)'), [3]);
  const { data } = await graphql(`{ job(id: "${jobId(2)}") { status } }`);
  assert.deepEqual(data, { job: { status: 'UNRESPONSIVE' } });
  now = before;
});

test('the scalar Object gives scalars as they are and the rest as JSON text, and reads texts as JSON', async () => {
  const { data } = await graphql(`{ job(id: "${jobId(3)}") { config { key value } } }`);
  assert.deepEqual(data, {
    job: {
      config: [
        { key: 'lr', value: 0.3 },
        { key: 'model', value: '{"depth":18}' },
        { key: 'tags', value: '["a","b"]' },
      ],
    },
  });
  const set = async (value: string) => {
    const answer = await graphql(
      `mutation { setAnnotation(jobId: "${jobId(3)}", key: "k"${value}) { annotations { key value } } }`,
    );
    return (answer.data?.['setAnnotation'] as { annotations: { value: unknown }[] } | undefined)
      ?.annotations[0]?.value;
  };
  assert.equal(await set(', value: true'), true);
  assert.equal(await set(', value: 2.5'), 2.5);
  assert.equal(await set(', value: "2.5"'), 2.5);
  assert.equal(await set(', value: "a text"'), 'a text');
  assert.equal(await set(', value: "{\\"a\\": [1]}"'), '{"a":[1]}');
  assert.equal(await set(''), undefined);
  assert.equal(await set(', value: 1'), 1);
  assert.equal(await set(', value: null'), undefined);
});

test('an annotation with dots nests, and variables work as in literals', async () => {
  const query =
    'mutation($v: Object) { setAnnotation(jobId: "J", key: "review.by", value: $v) { id annotations { key value } } }';
  const { data } = await graphql(query.replace('J', jobId(3)), { v: 'ada' });
  assert.deepEqual(data, {
    setAnnotation: { id: jobId(3), annotations: [{ key: 'review', value: '{"by":"ada"}' }] },
  });
  await graphql(query.replace('J', jobId(3)), {});
  const unknown = await graphql(query.replace('J', jobId(99)), { v: 1 });
  assert.deepEqual(unknown, { data: { setAnnotation: null } });
  const bad = await graphql(query.replace('J', jobId(3)).replace('review.by', '..'), { v: 1 });
  assert.match(bad.errors?.[0]?.message ?? '', /cannot be the key of an annotation/);
});

test('files are read below the folder of the job only', async () => {
  const text = async (name: string) => {
    const { data } = await graphql(
      `query($f: String!) { job(id: "${jobId(1)}") { textFile(filename: $f) } }`,
      {
        f: name,
      },
    );
    return (data?.['job'] as { textFile: string | null } | undefined)?.textFile;
  };
  assert.equal(await text('output.txt'), 'from the file\n');
  assert.equal(await text('plots/loss.png'), 'png');
  for (const name of [
    '../../../secret.txt',
    '/etc/passwd',
    'leads-out.txt',
    'etc/passwd',
    '',
    '.',
    'plots',
    'none',
    'a\0b',
  ])
    assert.equal(await text(name), null, name);
});

test('a file that is no JSON is an error of that field only', async () => {
  const { data, errors } = await graphql(
    `{ job(id: "${jobId(1)}") { id bad: jsonFile(filename: "page.html") good: jsonFile(filename: "result.json") } }`,
  );
  assert.deepEqual(data, { job: { id: jobId(1), bad: null, good: { accuracy: 0.5, by: ['a'] } } });
  assert.equal(errors?.[0]?.message, '"page.html" of the job holds no JSON.');
});

test('logs are those of worker 0, and those of the file where the queue has none', async () => {
  const { data } = await graphql('{ jobs { logs } }');
  assert.deepEqual(data, {
    jobs: [{ logs: null }, { logs: 'only in the file\n' }, { logs: 'epoch 1\nwarning: slow' }],
  });
});

test('without stored points a metric is what the job told of it', async () => {
  const fields = 'measurement tags values currentValue maxValue minValue jobId';
  const { data } = await graphql(
    `{ job(id: "${jobId(1)}") { a: timeseries { ${fields} } b: timeseries(measurement: "los") { jobId } c: timeseries(measurement: "l.*", tags: "split=train,fold=2") { jobId } d: timeseries(tags: "split=test") { jobId } } }`,
  );
  assert.deepEqual(data, {
    job: {
      a: [
        {
          ...{ measurement: 'loss', tags: { split: 'train', fold: 2 }, values: [] },
          ...{ currentValue: { value: 0.5, epoch: 3 }, maxValue: { value: 1 }, minValue: { value: 0.25 } },
          jobId: jobId(1),
        },
      ],
      ...{ b: [], c: [{ jobId: jobId(1) }], d: [] },
    },
  });
  const bad = await graphql(`{ job(id: "${jobId(1)}") { timeseries(measurement: "(a") { jobId } } }`);
  assert.match(bad.errors?.[0]?.message ?? '', /is not a valid measurement/);
});

test('hostile queries are refused before they run', async () => {
  const deep = `{ __schema { types ${'{ ofType '.repeat(30)} { name } ${'}'.repeat(30)} } }`;
  const wide = `{ ${Array.from({ length: 1001 }, (_, i) => `a${i}: __typename`).join(' ')} }`;
  const fragments = Array.from(
    { length: 20 },
    (_, i) => `fragment f${i} on Query { a: job(id: "1") { id } ...f${i + 1} ...f${i + 1} }`,
  );
  const bomb = `{ ...f0 } ${fragments.join(' ')} fragment f20 on Query { __typename }`;
  const circle = '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }';
  const long = `{ ${'a '.repeat(6_000)} }`;
  const expected: readonly (readonly [string, RegExp])[] = [
    [deep, /levels deep/],
    [wide, /more than 1000 fields/],
    [bomb, /more than 1000 fields/],
    [circle, /Cannot spread fragment/],
    [long, /5000 tokens/],
    ['{ jobs { nothing } }', /Cannot query field "nothing"/],
    ['{ jobs { id }', /Syntax Error/],
  ];
  for (const [query, words] of expected) {
    const { statusCode, body } = await send('POST', '/graphql', { body: { query } });
    assert.equal(statusCode, 400, query.slice(0, 60));
    assert.match(JSON.parse(body).errors[0].message, words);
  }
  const large = await send('POST', '/graphql', { body: { query: 'x'.repeat(1_100_000) } });
  assert.equal(large.statusCode, 413);
});

test('what is no request of GraphQL gets errors in its shape', async () => {
  const bodies = [{}, [], { query: 7 }, { query: '{ __typename }', variables: [] }];
  for (const body of bodies) {
    const answer = await send('POST', '/graphql', { body });
    assert.equal(answer.statusCode, 400);
    assert.equal(typeof JSON.parse(answer.body).errors[0].message, 'string');
  }
  const broken = { body: '{"quer', headers: { 'content-type': 'application/json' } };
  assert.equal(typeof JSON.parse((await send('POST', '/graphql', broken)).body).errors[0].message, 'string');
  assert.equal(
    (await get(`/graphql?query=${encodeURIComponent('{ __typename }')}`)).body,
    '{"data":{"__typename":"Query"}}\n',
  );
  const mutation = encodeURIComponent(
    `mutation { setAnnotation(jobId: "${jobId(3)}", key: "k", value: 1) { id } }`,
  );
  assert.equal((await get(`/graphql?query=${mutation}`)).statusCode, 405);
});

test('introspection shows the types of the old server', async () => {
  const { getIntrospectionQuery } = await import('graphql');
  const { data, errors } = await graphql(getIntrospectionQuery());
  assert.equal(errors, undefined);
  const { types } = (
    data as { __schema: { types: { name: string; fields?: { name: string; type: { kind: string } }[] }[] } }
  ).__schema;
  const job = types.find(({ name }) => name === 'Job')?.fields ?? [];
  const needed = job.filter(({ type }) => type.kind === 'NON_NULL').map(({ name }) => name);
  assert.deepEqual(
    needed.sort(),
    'creationTime environment experiment id job project status user'.split(' '),
  );
  assert.equal(job.length, 22);
});

test('files are served confined, safely typed, and in parts', async () => {
  const file = (path: string, headers = {}) => get(`/file/${jobId(1)}/${path}`, { headers });
  const text = await file('output.txt');
  assert.equal(text.body, 'from the file\n');
  assert.equal(text.headers['x-content-type-options'], 'nosniff');
  const page = await file('page.html');
  assert.equal(page.headers['content-type'], 'application/octet-stream');
  assert.equal(page.headers['content-disposition'], 'attachment');
  assert.match(String(page.headers['content-security-policy']), /sandbox/);
  const part = await file('output.txt', { range: 'bytes=5-7' });
  assert.deepEqual([part.statusCode, part.body, part.headers['content-range']], [206, 'the', 'bytes 5-7/14']);
  assert.equal((await file('output.txt', { range: 'bytes=-5' })).body, 'file\n');
  assert.equal((await file('output.txt', { range: 'bytes=99-' })).statusCode, 416);
  assert.equal((await file('output.txt', { range: 'lines=1' })).body, 'from the file\n');
  const { etag, 'last-modified': modified } = text.headers;
  assert.equal((await file('output.txt', { 'if-none-match': `"other", ${etag}` })).statusCode, 304);
  const resumed = async (since: unknown) =>
    (await file('output.txt', { range: 'bytes=5-7', 'if-range': since })).body;
  assert.equal(await resumed(modified), 'the');
  for (const since of ['Thu, 01 Jan 1970 00:00:00 GMT', etag])
    assert.equal(await resumed(since), 'from the file\n', 'a part of another file fits to nothing');
  for (const path of [
    '../../../secret.txt',
    '..%2f..%2f..%2fsecret.txt',
    '%2e%2e/%2e%2e/%2e%2e/secret.txt',
    '/etc/passwd',
    'leads-out.txt',
    'etc/passwd',
    'none.txt',
    'plots',
    'plots/',
    '',
    'a%00b',
  ])
    for (const base of [`/file/${jobId(1)}`, `/api/jobs/${jobId(1)}/files`]) {
      const answer = await get(`${base}/${path}`);
      if (path === '' && base.startsWith('/api')) continue;
      assert.equal(answer.statusCode, 404, `${base}/${path}`);
    }
  assert.equal((await get(`/file/${jobId(99)}/output.txt`)).statusCode, 404);
  assert.equal((await get(`/file/${jobId(3)}/output.txt`)).statusCode, 404);
});

test('the API lists, pages and refuses what it does not know', async () => {
  const list = async (query: string) => JSON.parse((await get(`/api/jobs${query}`)).body);
  const names = ({ jobs }: { jobs: { name: string }[] }) => jobs.map(({ name }) => name);
  const first = await list('?limit=2');
  assert.deepEqual(names(first), ['job-3', 'job-2']);
  assert.deepEqual(await list(`?before=${first.nextBefore}`).then(names), ['job-1']);
  assert.deepEqual(await list('?where=lr%20%3E%200.25').then(names), ['job-3']);
  assert.deepEqual(await list('?status=failed').then(names), ['job-1']);
  assert.deepEqual(await list(`?id=${jobId(1)}&id=${jobId(3)}`).then(names), ['job-3', 'job-1']);
  for (const query of ['?nmae=x', '?limit=0', '?limit=x', '?status=x', '?where=lr%20%3E', '?name=a&name=b']) {
    const { statusCode, body } = await get(`/api/jobs${query}`);
    assert.equal(statusCode, 400, query);
    assert.ok(JSON.parse(body).hint.length > 10);
  }
});

test('the API shows a job, its logs, metrics and files', async () => {
  const one = async (path: string) => JSON.parse((await get(`/api/jobs/${path}`)).body);
  const job = await one('000001');
  assert.deepEqual([job.id, job.status, job.progress, job.envNames], [jobId(1), 'FAILED', 0.75, []]);
  const messages = async (query: string) =>
    (await one(`${jobId(1)}/logs${query}`)).entries.map(({ message }: { message: string }) => message);
  assert.deepEqual(await messages('?worker=0'), ['epoch 1', 'warning: slow']);
  assert.deepEqual(await messages('?type=error'), ['warning: slow']);
  assert.deepEqual(await messages('?tail=1'), ['of another']);
  const { next } = await one(`${jobId(1)}/logs?limit=2`);
  assert.deepEqual(await messages(`?after=${next}`), ['of another']);
  assert.equal((await get(`/api/jobs/${jobId(1)}/logs?after=x`)).statusCode, 400);
  const { series } = await one(`${jobId(1)}/metrics`);
  assert.deepEqual([series[0].measurement, series[0].newest], ['loss', { value: 0.5, epoch: 3 }]);
  const { files } = await one(`${jobId(1)}/files`);
  assert.deepEqual(
    files.map(({ path }: { path: string }) => path),
    ['output.txt', 'page.html', 'plots/loss.png', 'result.json'],
  );
  assert.equal((await get('/api/jobs/ffffff')).statusCode, 404);
});

test('variables of a job are shown by name only', async () => {
  const { jobSpec } = await import('../../../test/support/job-specs.ts');
  await queue.submit([jobSpec(4, { env: { API_KEY: 'hunter2' } })]);
  for (const url of [`/api/jobs/${jobId(4)}`, '/api/jobs', '/api/jobs/compare', '/api/jobs.csv']) {
    const { body } = await get(url);
    assert.match(body, /API_KEY|job-4/);
    assert.doesNotMatch(body, /hunter2/);
  }
  await queue.delete([jobId(4)]);
});

test('programs are taken with a token only, and foreign pages change nothing', async () => {
  const body = { command: ['true'] };
  assert.equal((await send('POST', '/api/jobs', { body })).statusCode, 403);
  const guarded = serverWith({ token: TOKEN });
  const bearer = { authorization: `Bearer ${TOKEN}` };
  assert.equal((await send('POST', '/api/jobs', { body, on: guarded })).statusCode, 401);
  assert.equal(
    (await send('POST', '/api/jobs', { body, on: guarded, headers: { authorization: 'Bearer x' } }))
      .statusCode,
    401,
  );
  const foreign = { ...bearer, origin: 'http://evil.example' };
  assert.equal((await send('POST', '/api/jobs', { body, on: guarded, headers: foreign })).statusCode, 403);
  const unread = await send('POST', '/graphql', { body: { query: '{ __typename }' }, on: guarded });
  assert.deepEqual(
    [unread.statusCode, JSON.parse(unread.body).errors[0].message],
    [401, 'A token is needed'],
  );
  for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const query = `mutation { setAnnotation(jobId: "${jobId(3)}", key: "evil", value: 1) { id } }`;
    assert.equal((await send('POST', '/graphql', { body: { query }, headers })).statusCode, 403);
    assert.equal((await send('POST', `/api/jobs/${jobId(3)}/cancel`, { headers })).statusCode, 403);
    assert.equal((await send('DELETE', `/api/jobs/${jobId(3)}`, { headers })).statusCode, 403);
  }
  const open = serverWith({ isLoopback: false });
  assert.equal((await send('POST', `/api/jobs/${jobId(3)}/cancel`, { on: open })).statusCode, 403);
  assert.equal((await get('/api/jobs', { on: open })).statusCode, 200);
  assert.equal((await queue.job(jobId(3)))?.annotations['evil'], undefined);
});

test('jobs are submitted, annotated, cancelled, repeated and deleted', async () => {
  const on = serverWith({ token: TOKEN });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const post = async (url: string, body?: unknown) => {
    const answer = await send('POST', url, { on, headers, body });
    return { status: answer.statusCode, ...JSON.parse(answer.body) };
  };
  const { ids } = await post('/api/jobs', {
    jobs: [
      { command: ['echo', 'a'], name: 'first', config: { lr: 0.5 }, env: { A: '1' }, note: 'said so' },
      { script: 'train.py', priority: 3, after: ['000003'], resources: { cpus: 2 } },
    ],
  });
  const [first, second] = [await queue.job(ids[0]), await queue.job(ids[1])];
  assert.deepEqual(
    [first?.name, first?.config, first?.env, first?.annotations],
    ['first', { lr: 0.5 }, { A: '1' }, { description: 'said so' }],
  );
  assert.deepEqual(
    [second?.program, second?.priority, second?.after],
    [{ type: 'script', path: 'train.py' }, 3, [jobId(3)]],
  );
  const bad = [
    {},
    { command: [] },
    { command: ['a'], script: 'b' },
    { comand: ['a'] },
    { command: ['a'], workers: 0 },
    { command: ['a'], after: ['ffffff'] },
    { command: ['a'], code: { package: 'f'.repeat(64) } },
    { jobs: [] },
    'x',
    { command: ['a\0'] },
  ];
  for (const body of bad) {
    const answer = await send('POST', '/api/jobs', {
      on,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok([400, 404].includes(answer.statusCode), `${JSON.stringify(body)} ${answer.body}`);
  }
  assert.equal(await queue.count({}), 5);
  assert.deepEqual(await post(`/api/jobs/${ids[0]}/cancel`, { reason: 'enough' }), {
    status: 200,
    id: ids[0],
    was: 'CREATED',
    isCancelled: true,
  });
  assert.equal((await queue.job(ids[0]))?.reason, 'enough');
  const { id: again } = await post(`/api/jobs/${ids[0]}/rerun`);
  const repeated = await queue.job(again);
  assert.deepEqual([repeated?.rerunOf, repeated?.status, repeated?.env], [ids[0], 'CREATED', { A: '1' }]);
  assert.deepEqual((await post(`/api/jobs/${again}/annotate`, { key: 'star', value: true })).annotations, {
    star: true,
  });
  assert.equal((await post(`/api/jobs/${again}/annotate`, { value: true })).status, 400);
  for (const id of [...ids, again]) {
    const { statusCode } = await send('DELETE', `/api/jobs/${id}`, { on, headers });
    assert.equal(statusCode, 200);
  }
  assert.equal(await queue.count({}), 3);
});

test('jobs are compared as "job diff" does, and a missing key is not null', async () => {
  const { body } = await get(`/api/jobs/compare?id=${jobId(1)}&id=${jobId(3)}`);
  const { jobs, isCut, sections } = JSON.parse(body) as ComparedDocument;
  assert.deepEqual([jobs.map(({ name }) => name), isCut], [['job-3', 'job-1'], false]);
  const [configuration] = sections;
  assert.deepEqual(configuration?.rows, [
    { key: 'lr', values: [0.3, 0.1], isEqual: false, change: (0.1 - 0.3) / 0.3 },
    { key: 'model.depth', values: [18, null], missing: [1], isEqual: false },
    { key: 'tags', values: [['a', 'b'], null], missing: [1], isEqual: false },
  ]);
  assert.deepEqual(
    sections.map(({ title }) => title),
    ['configuration', 'code', 'environment', 'results'],
  );
  assert.equal(JSON.parse((await get('/api/jobs/compare?limit=1')).body).isCut, true);
  assert.equal((await get('/api/jobs/compare?where=lr%20%3E')).statusCode, 400);
});

test('jobs are counted by status, with a search only as a whole', async () => {
  const counts = async (query: string) => JSON.parse((await get(`/api/jobs/counts${query}`)).body);
  assert.deepEqual(await counts(''), { total: 3, statuses: { CREATED: 1, RUNNING: 1, FAILED: 1 } });
  assert.deepEqual(await counts('?status=QUEUE'), {
    total: 2,
    statuses: { CREATED: 1, RUNNING: 1, FAILED: 1 },
  });
  assert.deepEqual(await counts('?search=where:lr%3C0.25'), { total: 2, statuses: {} });
});

test('jobs are a table, too', async () => {
  const { body, headers } = await get('/api/jobs.csv?status=FAILED');
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
  const [head, row] = body.split('\n').map((line) => line.split(','));
  const value = (key: string) => row?.[head?.indexOf(key) ?? -1];
  assert.deepEqual(['id', 'name', 'status', 'exception', 'createdAt', 'progress', 'config.lr'].map(value), [
    jobId(1),
    'job-1',
    'FAILED',
    "ValueError('x')",
    '2023-11-14T22:13:20.001Z',
    '0.75',
    '0.1',
  ]);
});

test('metrics of several jobs without stored points are no columns', async () => {
  const { jobs, series } = JSON.parse((await get('/api/jobs/series')).body);
  assert.deepEqual([jobs.length, series], [3, []]);
  assert.deepEqual(jobs[0].config, { lr: 0.3, 'model.depth': 18 });
});

test('the gauge of jobs counts each status', async () => {
  const { body } = await get('/metrics');
  assert.match(body, /nightmark_jobs\{status="created"\} 1\n/);
  assert.match(body, /nightmark_jobs\{status="running"\} 1\n/);
  assert.match(body, /nightmark_jobs\{status="failed"\} 1\n/);
  assert.match(body, /# EOF\n$/);
});
