import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../platform/adapters/system-clock.ts';
import { createServer } from '../../server/create-server.ts';
import openSqliteStorage from '../adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../app/point-engine.ts';
import { IngestCounters } from '../core/lines/ingest-counters.ts';
import { decodeWire } from '../core/points/columns-wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-columns-'));
const NOW = 1_700_000_000_000;
let engine: PointEngine;
let app: FastifyInstance;

before(async () => {
  engine = await PointEngine.open(await openSqliteStorage(folder), { clock: systemClock });
  await engine.createDatabase('d');
  const nextTimestamp = () => ({ ms: NOW, ns: 0 });
  const counters = new IngestCounters();
  const packets = async () => ({ isListening: false });
  const service = { writer: engine, reader: engine, admin: engine, stored: engine };
  app = createServer(
    { home: '/nowhere', isLoopback: true },
    {
      disk: localDisk,
      clock: { now: () => NOW },
      index: { current: async () => undefined },
      report: (line) => assert.fail(line),
      points: { ...service, counters, keepsNotFinite: true, nextTimestamp, packets },
    },
  );
  // Ten seconds, a value each second; the first half in blocks, the second in memory.
  await write(
    'cpu,host=a busy=5 0\ncpu,host=a busy=-1 1000\ncpu,host=a busy=3 2000\ncpu,host=b busy=7,n=1i 500',
  );
  await engine.flush();
  await write('cpu,host=a busy=9 8000\ncpu,host=a busy=inf 9000\nnote text="hello",ok=true 1000');
});
after(async () => {
  await app.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

async function write(body: string): Promise<void> {
  const url = '/write?db=d&precision=ms';
  const { statusCode } = await app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: { host: 'localhost' },
  });
  assert.equal(statusCode, 204);
}

const get = (url: string, accept = '*/*') => app.inject({ url, headers: { host: 'localhost', accept } });
const RANGE = 'database=d&from=0&to=10000';

test('buckets have the smallest, the largest and the count; empty ones are left out', async () => {
  const answer = await get(`/api/points?${RANGE}&field=busy&tag.host=a&buckets=5`);
  assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'application/octet-stream']);
  const { header, series } = decodeWire(answer.rawPayload);
  assert.deepEqual(header, { kind: 'buckets', series: 1, fromMs: 0, toMs: 10_000, buckets: 5 });
  assert.deepEqual(series, [
    {
      ...{ measurement: 'cpu', tags: { host: 'a' }, field: 'busy', type: 'float' },
      columns: [
        [0, 2000, 8000],
        [-1, 3, 9],
        [5, 3, Infinity],
        [2, 1, 2],
      ].map((column) => Float64Array.from(column)),
    },
  ]);
});

test('raw gives every value with its time', async () => {
  const { series } = decodeWire((await get(`/api/points?${RANGE}&field=busy&raw=1`)).rawPayload);
  assert.deepEqual(
    series.map(({ tags, columns }) => [tags, ...columns.map((column) => [...column])]),
    [
      [{ host: 'a' }, [0, 1000, 2000, 8000, 9000], [5, -1, 3, 9, Infinity]],
      [{ host: 'b' }, [500], [7]],
    ],
  );
});

test('JSON says the same, and null for what it has no number for', async () => {
  const url = `/api/points?${RANGE}&field=busy&tag.host=a&buckets=2`;
  const answer = await get(url, 'application/json');
  assert.deepEqual(answer.json(), {
    ...{ kind: 'buckets', fromMs: 0, toMs: 10_000, buckets: 2 },
    series: [
      {
        ...{ measurement: 'cpu', tags: { host: 'a' }, field: 'busy', type: 'float' },
        ...{ timeMs: [0, 5000], min: [-1, 9], max: [5, null], count: [3, 2] },
      },
    ],
  });
  const none = await get(`/api/points?${RANGE}&measurement=nothing`, 'application/json');
  assert.deepEqual(none.json().series, []);
});

test('times are milliseconds, dates, or so long ago', async () => {
  const rangeOf = async (query: string) => {
    const { header } = decodeWire((await get(`/api/points?database=d&${query}`)).rawPayload);
    return [header.fromMs, header.toMs];
  };
  assert.deepEqual(await rangeOf('from=now-6h&to=now'), [NOW - 21_600_000, NOW]);
  assert.deepEqual(await rangeOf('from=-5&to=1970-01-01T00:00:01Z'), [-5, 1000]);
  assert.deepEqual(await rangeOf(''), [NOW + 1 - 3_600_000, NOW + 1]);
});

test('the whole time of the series is found, and values are exact where there are few', async () => {
  const asked = async (query: string) => {
    const { header, series } = decodeWire(
      (await get(`/api/points?database=d&field=busy&${query}`)).rawPayload,
    );
    return [header.kind, header.fromMs, header.toMs, series.map(({ columns }) => columns[0]?.length)];
  };
  assert.deepEqual(await asked('tag.host=a&all=1&buckets=3&exact=5'), ['points', 0, 9001, [5]]);
  assert.deepEqual(await asked('tag.host=a&all=1&buckets=3&exact=4'), ['buckets', 0, 9001, [2]]);
  assert.deepEqual(await asked('all=1&buckets=3&exact=6'), ['points', 0, 9001, [5, 1]]);
  assert.deepEqual(await asked('all=1&buckets=3&exact=5'), ['buckets', 0, 9001, [2, 1]]);
  assert.deepEqual(await asked('from=0&to=1500&buckets=3&exact=3'), ['points', 0, 1500, [2, 1]]);
  const extent = async (query: string) => (await get(`/api/points/extent?database=d&${query}`)).json();
  assert.deepEqual(await extent('field=busy'), { series: 2, count: 6, fromMs: 0, toMs: 9001 });
  assert.deepEqual(await extent('tag.host=b&field=busy'), { series: 1, count: 1, fromMs: 500, toMs: 501 });
  assert.deepEqual(await extent('field=text'), { series: 0, count: 0 });
});

test('what cannot be given is reported with the value and a way out', async () => {
  const cases: readonly (readonly [query: string, status: number, error: RegExp])[] = [
    ['', 400, /"database" is missing/],
    ['database=x', 404, /no database "x"/],
    ['database=d&database=e', 400, /"database" is given 2 times/],
    [`${RANGE}&tags.host=a`, 400, /no parameter "tags.host"/],
    [`${RANGE}&buckets=10001`, 400, /"buckets" is "10001"/],
    [`${RANGE}&buckets=0`, 400, /"buckets" is "0"/],
    [`${RANGE}&buckets=1e3`, 400, /"buckets" is "1e3"/],
    [`${RANGE}&raw=yes`, 400, /"raw" is "yes"/],
    [`${RANGE}&raw=1&exact=5`, 400, /"raw" and "exact" are both given/],
    [`${RANGE}&exact=100001`, 400, /"exact" is "100001"/],
    [`${RANGE}&all=1`, 400, /"all" is given together with "from" or "to"/],
    [`${RANGE}&field=text`, 400, /"text" of "note" is text/],
    ['database=d&from=yesterday', 400, /"from" is "yesterday"/],
    ['database=d&to=99999999999999999', 400, /"to" is "9+"/],
    ['database=d&from=5&to=5', 400, /is not before "to" \(1970-01-01T00:00:00.005Z\)/],
  ];
  for (const [query, status, error] of cases) {
    const answer = await get(`/api/points?${query}`);
    assert.equal(answer.statusCode, status, query);
    assert.match(answer.json().error, error);
    assert.ok(answer.json().hint.length > 10, query);
  }
});

test('more series or points than an answer holds are refused', async () => {
  await engine.createDatabase('many');
  const many = (body: string) =>
    app.inject({
      ...{ method: 'POST', url: '/write?db=many&precision=ms', payload: body },
      headers: { host: 'localhost' },
    });
  await many(Array.from({ length: 1001 }, (_, i) => `m,i=${i} v=1 1`).join('\n'));
  await many(Array.from({ length: 100_001 }, (_, i) => `long v=${i} ${i}`).join('\n'));
  const asked = async (query: string) =>
    (await get(`/api/points?database=many&from=0&to=200000&${query}`)).json();
  assert.match((await asked('measurement=m')).error, /^1001 series match, and one request gets at most 1000/);
  assert.match((await asked('measurement=long&raw=1')).error, /has 100001 points .* at most 100000/);
  const tags = Array.from({ length: 200 }, (_, i) => `tag.i=${i}`).join('&');
  assert.match((await asked(`${tags}&buckets=10000`)).hint, /at most 5000 buckets/);
});

test('what there is is listed, and filtered by any part of a name', async () => {
  assert.ok((await get('/api/points/series')).json().databases.includes('d'));
  const all = (await get('/api/points/series?database=d&limit=1')).json();
  assert.deepEqual(all.matched, { measurements: 2, series: 3 });
  assert.deepEqual(all.measurements, [
    { measurement: 'cpu', series: 2, fields: ['busy', 'n'], tagKeys: ['host'] },
  ]);
  assert.deepEqual(all.series, [{ measurement: 'cpu', tags: { host: 'a' }, fields: { busy: 'float' } }]);
  const short = (await get('/api/points/series?database=d&only=measurements')).json();
  assert.deepEqual(Object.keys(short), ['database', 'matched', 'measurements']);
  assert.deepEqual(short.matched, all.matched);
  assert.match((await get('/api/points/series?database=d&only=x')).json().error, /"only" is "x"/);
  const found = (await get('/api/points/series?database=d&filter=HOST=B')).json();
  assert.deepEqual(found.series, [
    { measurement: 'cpu', tags: { host: 'b' }, fields: { busy: 'float', n: 'integer' } },
  ]);
});

test('the newest value of each series is exact', async () => {
  await write('exact n=9007199254740993i 1000');
  const { series } = (await get('/api/points/latest?database=d&measurement=exact&measurement=note')).json();
  assert.deepEqual(
    series.map(({ field, timeNs, value }: Record<string, unknown>) => [field, timeNs, value]),
    [
      ['n', '1000000000', '9007199254740993'],
      ['ok', '1000000000', true],
      ['text', '1000000000', 'hello'],
    ],
  );
});

test('of many series the first with points in the range are given, and the others counted', async () => {
  const hosts = Array.from({ length: 1_200 }, (_, i) => `fleet,host=h${i} up=1 ${i < 2 ? 9_000_000 : 1_000}`);
  await write(hosts.join('\n'));
  const all = await get(`/api/points?${RANGE}&measurement=fleet`);
  assert.match(all.json<{ error: string }>().error, /1200 series match/);
  const { header, series } = decodeWire(
    (await get(`/api/points?${RANGE}&measurement=fleet&most=10`)).rawPayload,
  );
  assert.deepEqual([header.series, header.leftOut], [10, 1_190]);
  assert.deepEqual(
    series.map(({ tags }) => tags['host']),
    Array.from({ length: 10 }, (_, i) => `h${i + 2}`),
  );
  const json = await get(`/api/points?${RANGE}&measurement=fleet&most=2000`, 'application/json');
  assert.equal(json.statusCode, 400);
});
