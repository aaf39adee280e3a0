import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import openPostgresStorage from '../../src/metrics/adapters/storages/postgres/postgres.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import clock from '../../src/platform/adapters/system-clock.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres-server.ts';

describe('the engine on a real PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.remove());

  test('points are there from blocks and log alike, exact, over a restart and a deletion', async () => {
    const open = async () =>
      PointEngine.open(await openPostgresStorage(server.url('engine')), { clock }, { flushValues: 1500 });
    const write = (engine: PointEngine, from: number, to: number) => {
      const lines = Array.from(
        { length: to - from },
        (_, at) =>
          `m,host=h${(from + at) % 3} v=${from + at},i=${2n ** 60n + BigInt(from + at)}i ${from + at}`,
      );
      const body = Buffer.from(lines.join('\n'));
      return engine.write({
        database: 'db',
        kind: 'lines',
        body,
        precision: 'n',
        receivedAt: { ms: 0, ns: 0 },
      });
    };
    const first = await open();
    await first.createDatabase('db');
    for (let at = 0; at < 3000; at += 100) assert.equal((await write(first, at, at + 100)).values, 200);
    await first.flush();
    await write(first, 3000, 3300);
    await first.close();

    const second = await open();
    const [column] = second.columns('db').filter(({ field, tags }) => field === 'i' && tags[0]?.[1] === 'h1');
    assert.ok(column);
    const all = await second.read(column.number, {});
    const expected = Array.from({ length: 1100 }, (_, at) => 2n ** 60n + BigInt(3 * at + 1));
    assert.deepEqual([...(all.bigints ?? [])], expected);
    const range = { from: { ms: 0, ns: 2995 }, to: { ms: 0, ns: 3005 } };
    assert.deepEqual([...(await second.read(column.number, range)).timestamps.ns], [2995, 2998, 3001, 3004]);
    const [latest] = await second.latest([column.number]);
    assert.deepEqual([...(latest?.timestamps.ns ?? [])], [3298]);
    await second.deletePoints([column.number], { to: { ms: 0, ns: 3298 } });
    await second.close();

    const third = await open();
    assert.equal((await third.read(column.number, {})).timestamps.ns.length, 1);
    await third.dropDatabase('db');
    assert.deepEqual([third.databases(), third.columns('db')], [[], []]);
    await third.close();
  });
});
