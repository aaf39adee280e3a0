import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PointReader } from '../points/point-reader.ts';
import type { ColumnValues } from '../points/points.ts';
import { runQuery } from './run-query.ts';
import { writeJson } from './write-results.ts';

const VALUES: ColumnValues = {
  type: 'float',
  timestamps: { ms: Float64Array.of(1000, 2000, 12_000), ns: Int32Array.of(0, 5, 0) },
  numbers: Float64Array.of(1, 2, 6),
};
const READER: PointReader = {
  databases: () => ['d'],
  columns: () => [
    { database: 'd', number: 0, measurement: 'm', tags: [['a', 'x']], field: 'v', type: 'float' },
  ],
  read: async () => VALUES,
  latest: async () => [VALUES],
};

async function ask(text: string, options: { maxRows?: number; signal?: AbortSignal } = {}): Promise<string> {
  let json = '';
  const results = runQuery(text, { reader: READER, database: 'd', now: { ms: 20_000, ns: 0 }, ...options });
  for await (const piece of writeJson(results)) json += piece;
  return json;
}

test('rows come with nanoseconds', async () => {
  assert.match(await ask('SELECT v FROM m'), /\["1970-01-01T00:00:02\.000000005Z",2\]/);
});

test('more windows than allowed are refused instead of made', async () => {
  assert.match(
    await ask('SELECT mean(v) FROM m GROUP BY time(1ns)', { maxRows: 1000 }),
    /max-select-buckets limit/,
  );
});

test('without an admin nothing is deleted', async () => {
  assert.match(await ask('DROP DATABASE d'), /this server only reads/);
});

test('deep nesting is refused, not a stack that overflows', async () => {
  await assert.rejects(ask(`SELECT ${'('.repeat(50_000)}v FROM m`), { code: 'QUERY_SYNTAX' });
});

test('a query whose asker went away ends', async () => {
  await assert.rejects(ask('SELECT v FROM m', { signal: AbortSignal.abort() }), { code: 'QUERY_CANCELLED' });
});

test('a series that comes later is in its group, though groups are kept', async () => {
  const columns = [1, 2, 3].map((number) => ({
    database: 'd',
    number,
    measurement: 'm',
    tags: [['a', `${'zyx'[number - 1]}<`]] as const,
    field: 'v',
    type: 'float' as const,
  }));
  let known = columns.slice(0, 2);
  const single: ColumnValues = {
    type: 'float',
    timestamps: { ms: Float64Array.of(1000), ns: Int32Array.of(0) },
    numbers: Float64Array.of(-0),
  };
  const reader: PointReader = {
    ...READER,
    columns: () => known,
    latest: async (all) => all.map(() => single),
  };
  const tagsOf = async (text: string) => {
    let json = '';
    for await (const piece of writeJson(
      runQuery(text, { reader, database: 'd', now: { ms: 0, ns: 0 }, epoch: 's' }),
    ))
      json += piece;
    return [...json.matchAll(/"a":"(.*?)".*?"values":(.*?)\}/g)].map(([, tag, values]) => `${tag} ${values}`);
  };
  const query = 'SELECT last(v) FROM m GROUP BY a';
  assert.deepEqual(await tagsOf(query), ['y\\u003c [[1,-0]]', 'z\\u003c [[1,-0]]']);
  known = columns;
  const sorted = ['x\\u003c [[1,-0]]', 'y\\u003c [[1,-0]]', 'z\\u003c [[1,-0]]'];
  assert.deepEqual(await tagsOf(query), sorted);
  assert.deepEqual(await tagsOf(`${query} ORDER BY time DESC`), sorted.toReversed());
  assert.deepEqual(await tagsOf(query), sorted);
});
