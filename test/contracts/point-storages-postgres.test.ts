import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import openPostgresStorage, {
  type PostgresOptions,
} from '../../src/metrics/adapters/storages/postgres/postgres.ts';
import type {
  Block,
  LogRecord,
  PointStorage,
  StoredColumn,
} from '../../src/metrics/core/points/point-storage.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres-server.ts';

const URL_OF_SHELF = pathToFileURL(
  join(process.cwd(), 'dist/src/metrics/adapters/storages/postgres/postgres.js'),
).href;

describe('the storage on a real PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  let schemas = 0;
  const children: ChildProcess[] = [];
  const opened: PointStorage[] = [];
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const storage of opened) await storage.close();
    server.remove();
  });
  const newUrl = () => server.url(`s${++schemas}`);
  const open = async (url: string, options: PostgresOptions = {}) => {
    const storage = await openPostgresStorage(url, options);
    opened.push(storage);
    return storage;
  };

  test('records come back whole and in their order, and go with settle', async () => {
    const storage = await open(newUrl());
    const bodies = [new Uint8Array([0, 255, 10]), new Uint8Array(0), new Uint8Array(300_000).fill(7)];
    const numbers = await Promise.all(bodies.map((body) => storage.appendLog(record(body))));
    assert.deepEqual(numbers, [1, 2, 3]);
    const read = await all(storage.readLog());
    assert.deepEqual(
      read.map(({ body }) => new Uint8Array(body)),
      bodies,
    );
    assert.deepEqual({ ...read[0], body: 0 }, { ...record(), number: 1, body: 0 });
    await storage.commit({ columns: [column(1)], blocks: [block(1, 10, 20)], replaced: [], upTo: 2 });
    assert.deepEqual(await numbersOf(storage), [3]);
    assert.deepEqual((await all(storage.readLog(3))).length, 0);
    await storage.commit({ columns: [], blocks: [], replaced: [], upTo: 3 });
    assert.equal(await storage.appendLog(record()), 4);
  });

  test('numbers grow over a restart although the log is empty', async () => {
    const url = newUrl();
    const first = await openPostgresStorage(url);
    await first.appendLog(record());
    await first.commit({ columns: [], blocks: [], replaced: [], upTo: 1 });
    await first.close();
    assert.equal(await (await open(url)).appendLog(record()), 2);
  });

  test('blocks are found by column, tier and time, and replaced', async () => {
    const storage = await open(newUrl());
    const nanosecond = { ...block(2, 100, 200), first: { ms: 100, ns: 5 }, last: { ms: 200, ns: 999_999 } };
    const blocks = [block(1, 30, 40), block(1, 10, 20), nanosecond, { ...block(1, 10, 40), tier: 1 }];
    await storage.commit({ columns: [column(1), column(2)], blocks, replaced: [], upTo: 0 });
    const found = (range: object, tier = 0, columns = [2, 1]) =>
      all(storage.blocks({ columns, range, tier }));
    assert.deepEqual((await found({})).map(spanOf), ['2:100-200', '1:10-20', '1:30-40']);
    assert.deepEqual((await found({}, 1)).map(spanOf), ['1:10-40']);
    const until = (ms: number, ns: number) => found({ to: { ms, ns } }, 0, [2]);
    assert.equal((await until(100, 5)).length, 0);
    assert.equal((await until(100, 6)).length, 1);
    assert.equal((await found({ from: { ms: 200, ns: 999_999 } })).length, 1);
    assert.equal((await found({ from: { ms: 201, ns: 0 } })).length, 0);
    const [first] = await found({}, 0, [1]);
    assert.deepEqual(new Uint8Array(first?.bytes ?? []), block(1, 10, 20).bytes);
    await storage.commit({ columns: [], blocks: [block(1, 5, 20)], replaced: [first?.id ?? -1], upTo: 0 });
    assert.deepEqual((await found({}, 0, [1])).map(spanOf), ['1:5-20', '1:30-40']);
    assert.deepEqual((await all(storage.lastBlocks([2, 7, 1]))).map(spanOf), ['2:100-200', '1:30-40']);
  });

  test('databases and columns come and go with what is in them', async () => {
    const storage = await open(newUrl());
    const odd = { ...column(2), measurement: 'a\0b', tags: [['ü', "'\\"]] as const, database: 'y' };
    for (const name of ['y', 'x', 'x', "it's"]) await storage.createDatabase(name);
    assert.deepEqual(await storage.databases(), ["it's", 'x', 'y']);
    const columns = [column(1), odd, column(3)];
    await storage.commit({
      columns,
      blocks: columns.map(({ number }) => block(number, 1, 2)),
      replaced: [],
      upTo: 0,
    });
    assert.deepEqual(await storage.columns(), columns);
    assert.deepEqual(await storage.columns(2), [odd, column(3)]);
    await storage.appendLog({ ...record(new Uint8Array(11)), database: 'y' });
    assert.deepEqual(await storage.size('y'), { columns: 1, blocks: 1, points: 2, bytes: 3, logBytes: 11 });
    await storage.dropDatabase('y');
    assert.deepEqual(await storage.size('y'), { columns: 0, blocks: 0, points: 0, bytes: 0, logBytes: 11 });
    await storage.deleteColumns([3]);
    assert.deepEqual(await storage.columns(), [column(1)]);
    assert.equal((await all(storage.blocks({ columns: [1, 3], range: {}, tier: 0 }))).length, 1);
    await assert.rejects(storage.createDatabase('a\0b'), { code: 'POINTS_BAD_NAME' });
  });

  test('a failed settle changes nothing, and the next one works', async () => {
    const storage = await open(newUrl());
    await storage.appendLog(record());
    const bad = { ...block(1, 1, 2), count: 2 ** 40 };
    await assert.rejects(
      storage.commit({ columns: [column(1)], blocks: [block(1, 1, 2), bad], replaced: [], upTo: 1 }),
    );
    assert.deepEqual(await numbersOf(storage), [1]);
    assert.deepEqual(await storage.columns(), []);
    await storage.commit({ columns: [column(1)], blocks: [block(1, 1, 2)], replaced: [], upTo: 1 });
    assert.deepEqual([await numbersOf(storage), (await storage.columns()).length], [[], 1]);
  });

  test('the second writer is refused, a reader is not, and cannot write', async () => {
    const url = newUrl();
    const storage = await open(url);
    await assert.rejects(openPostgresStorage(url), { code: 'POINTS_SHELF_IN_USE' });
    const reader = await open(url, { readOnly: true });
    await storage.appendLog(record());
    assert.deepEqual(await numbersOf(reader), [1]);
    await assert.rejects(reader.appendLog(record()), { code: 'POINTS_READ_ONLY' });
  });

  test('what another process was reported to be safe is there after kill -9, in 5 rounds, and read meanwhile', async () => {
    const url = newUrl();
    await (await openPostgresStorage(url)).close();
    const reader = await open(url, { readOnly: true });
    let told = 0;
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, URL_OF_SHELF, url], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const start = told;
      for await (const line of createInterface({ input: child.stdout })) {
        assert.equal(Number(line) > told, true);
        told = Number(line);
        if (told === start + 40) assert.ok((await everythingOf(reader)).length >= told);
        if (told >= start + 60 + round * 17) child.kill('SIGKILL');
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    const storage = await open(url);
    // Each number is in a block or in the log, never in both; those that were told are all there.
    const everything = await everythingOf(storage);
    assert.equal(new Set(everything).size, everything.length);
    for (let number = 1; number <= told; number++)
      assert.ok(everything.includes(number), `${number} is lost`);
  });

  test('a server that falls and comes back loses nothing and doubles nothing', async () => {
    const said: string[] = [];
    const storage = await open(newUrl(), { report: (message) => said.push(message) });
    await storage.appendLog(record());
    server.down('immediate');
    const waiting = Promise.all([1, 2, 3].map(() => storage.appendLog(record())));
    server.up();
    assert.deepEqual(await waiting, [2, 3, 4]);
    assert.deepEqual(await numbersOf(storage), [1, 2, 3, 4]);
    assert.match(said.join(' '), /is lost; retrying.*is back/);
  });

  test('a writer whose place was taken meanwhile stops for good', async () => {
    const url = newUrl();
    const storage = await open(url);
    await storage.appendLog(record());
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
    const other = await open(url);
    await other.appendLog(record());
    await other.close();
    await assert.rejects(storage.appendLog(record()), { code: 'POINTS_SHELF_IN_USE' });
  });

  test('a server that stays away is reported after the patience, without a password', async () => {
    const env = { NIGHTMARK_POSTGRES_URL: 'postgres://me:hunter2@127.0.0.1:1/x' };
    await assert.rejects(
      openPostgresStorage('', { env }),
      (error: Error & { code: string; hint: string }) => {
        assert.equal(error.code, 'POINTS_POSTGRES_UNREACHABLE');
        assert.match(error.message, /postgres:\/\/127\.0\.0\.1:1\/x/);
        assert.doesNotMatch(`${error.message} ${error.hint} ${error.cause} ${error.stack}`, /hunter2/);
        return true;
      },
    );
    await assert.rejects(openPostgresStorage('postgres://me:hunter2@h/x'), {
      code: 'POINTS_SECRET_IN_ADDRESS',
    });
    await assert.rejects(openPostgresStorage('http://h/x'), { code: 'POINTS_BAD_ADDRESS' });
    await assert.rejects(openPostgresStorage(newUrl().replace('schema=', 'schema=x;drop')), {
      code: 'POINTS_BAD_ADDRESS',
    });
    await assert.rejects(openPostgresStorage(newUrl(), { readOnly: true }), { code: 'POINTS_NO_SHELF' });
  });

  test('many large blocks are streamed, and one may stop in the middle', async () => {
    const storage = await open(newUrl());
    const bytes = new Uint8Array(1024 * 1024).fill(9);
    for (let part = 0; part < 4; part++) {
      const blocks = Array.from({ length: 25 }, (_, at) => ({ ...block(1, part * 100 + at, 1000), bytes }));
      await storage.commit({ columns: [], blocks, replaced: [], upTo: 0 });
    }
    let count = 0;
    for await (const { bytes: got } of storage.blocks({ columns: [1], range: {}, tier: 0 })) {
      assert.equal(got.length, bytes.length);
      count++;
    }
    assert.equal(count, 100);
    for await (const _ of storage.blocks({ columns: [1], range: {}, tier: 0 })) break;
    assert.deepEqual(await storage.databases(), []);
  });
});

const WRITER = `
  const { default: open } = await import(process.argv[1]);
  const storage = await open(process.argv[2]);
  const body = new Uint8Array(2000);
  for (let count = 1; ; count++) {
    const number = await storage.appendLog({ database: 'x', kind: 'lines', body, precision: 'n', receivedAt: { ms: 1, ns: 2 } });
    console.log(number);
    if (count % 10 === 0) {
      const numbers = [];
      for await (const { number } of storage.readLog()) numbers.push(number);
      const blocks = numbers.map((ms) => ({ column: 1, first: { ms, ns: 0 }, last: { ms, ns: 0 }, count: 1, tier: 0, bytes: body }));
      await storage.commit({ columns: [], blocks, replaced: [], upTo: number });
    }
  }
`;

function record(body: Uint8Array = new Uint8Array([1])): LogRecord {
  return {
    database: 'x',
    kind: 'lines',
    body,
    precision: 'ms',
    receivedAt: { ms: 1_700_000_000_123, ns: 456 },
  };
}

function column(number: number): StoredColumn {
  return {
    number,
    database: 'x',
    type: 'unsigned',
    measurement: 'm',
    tags: [['a', 'b']],
    field: `f${number}`,
  };
}

function block(number: number, first: number, last: number): Block {
  const bytes = new Uint8Array([1, 0, number]);
  return { column: number, first: { ms: first, ns: 0 }, last: { ms: last, ns: 0 }, count: 2, tier: 0, bytes };
}

function spanOf({ column: number, first, last }: Block): string {
  return `${number}:${first.ms}-${last.ms}`;
}

async function numbersOf(storage: PointStorage): Promise<readonly number[]> {
  return (await all(storage.readLog())).map(({ number }) => number);
}

/** Log first: what is settled meanwhile is then in both, not in neither. */
async function everythingOf(storage: PointStorage): Promise<readonly number[]> {
  const saved = await numbersOf(storage);
  const blocks = await all(storage.blocks({ columns: [1], range: {}, tier: 0 }));
  return [...blocks.map(({ first }) => first.ms), ...saved];
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const result: T[] = [];
  for await (const item of items) result.push(item);
  return result;
}
