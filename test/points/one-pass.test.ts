import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import openStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import { runQuery } from '../../src/metrics/core/influxql/run-query.ts';
import { writeJson } from '../../src/metrics/core/influxql/write-results.ts';
import type { PointReader } from '../../src/metrics/core/points/point-reader.ts';
import clock from '../../src/platform/adapters/system-clock.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-one-pass-'));
after(() => rmSync(root, { recursive: true }));

const CALLS = [
  'count(v)',
  'sum(v)',
  'mean(v)',
  'min(v)',
  'max(v), min(v)',
  'spread(v), first(v), last(v)',
  'mean(v), max(w)',
  'sum(i), mean(i), min(i)',
  'sum(i::float), max(i)',
  'sum(large)',
  'first(s)',
  'max(b)',
];
const RANGES = [
  '',
  ' WHERE time >= 1000ms AND time < 5500ms',
  ' WHERE time > 2500ms',
  ' WHERE time < 4100ms',
];
const GROUPS = [
  '',
  ' GROUP BY time(100ms)',
  ' GROUP BY time(3s)',
  ' GROUP BY time(1500ms, 7ms) fill(none)',
  ' GROUP BY time(1700500u) LIMIT 2',
];

async function answer(query: string, reader: PointReader): Promise<string> {
  let text = '';
  const now = { ms: 20_000, ns: 0 };
  for await (const piece of writeJson(runQuery(query, { reader, database: 'db', now, epoch: 'ns' })))
    text += piece;
  return text;
}

/** Lines of thousands of moments some of which are not whole milliseconds, with values of many digits. */
function body(from: number, to: number): Buffer {
  let text = '';
  for (let i = from; i < to; i++) {
    const value = Math.sin(i) * 10 ** (i % 7);
    const [whole, large] = [i * i, 9_007_199_254_740_000n + BigInt(i)];
    text += `m v=${value},w=${i % 3},i=${whole}i,large=${large}i,s="${i}",b=${i % 2 === 0} ${i * 1_000_000 + (i % 5)}\n`;
  }
  return Buffer.from(text);
}

test('one look at each value gives the digits that all values at once give', async () => {
  const engine = await PointEngine.open(await openStorage(join(root, 'a')), { clock });
  await engine.createDatabase('db');
  const write = (from: number, to: number) =>
    engine.write({
      database: 'db',
      kind: 'lines',
      body: body(from, to),
      precision: 'n',
      receivedAt: { ms: 1, ns: 0 },
    });
  const whole: PointReader = {
    databases: () => engine.databases(),
    columns: (database) => engine.columns(database),
    read: (column, range, end) => engine.read(column, range, end),
    latest: (columns) => engine.latest(columns),
  };
  const compare = async () => {
    for (const [i, call] of CALLS.entries())
      for (const [k, range] of RANGES.entries()) {
        const query = `SELECT ${call} FROM m${range}${GROUPS[(i + k) % GROUPS.length]}`;
        const [one, all] = [await answer(query, engine), await answer(query, whole)];
        assert.equal(one, all, query);
        assert.match(one, /"values"|"error"/, query);
      }
  };
  await write(0, 5_000);
  await engine.flush();
  await compare();
  // Newer ones in memory, and then some among the blocks.
  await write(5_000, 6_000);
  await compare();
  await write(3_000, 3_005);
  await compare();
  const { number } = engine.columns('db').find(({ field }) => field === 'v') ?? { number: -1 };
  await engine.flush();
  assert.ok([...(await engine.readParts(number, {}))].length > 3);
  await engine.close();
});
