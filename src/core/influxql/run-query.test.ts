import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnValues } from '../model/points.ts';
import type { PointReader } from '../ports/point-reader.ts';
import { runQuery } from './run-query.ts';
import { writeJson } from './write-json.ts';

const VALUES: ColumnValues = {
  type: 'float',
  moments: { ms: Float64Array.of(1000, 2000, 12_000), ns: Int32Array.of(0, 5, 0) },
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
