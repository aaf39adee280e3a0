import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type {
  Block,
  LogRecord,
  PointStorage,
  StoredColumn,
} from '../../src/metrics/core/points/point-storage.ts';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';
import { shelfPlaces } from '../support/shelf-places.ts';

type Open = (place: string, options?: { readOnly?: boolean }) => Promise<PointStorage>;

const text = new TextEncoder();
const lines = (body: string, more: Partial<LogRecord> = {}): LogRecord => ({
  database: 'd"b é',
  kind: 'lines',
  body: text.encode(body),
  precision: 'ms',
  receivedAt: { ms: 1_700_000_000_123, ns: 456_789 },
  ...more,
});
const column = (number: number, more: Partial<StoredColumn> = {}): StoredColumn => ({
  number,
  database: 'db',
  measurement: 'cpu, "a" é',
  tags: [
    ['host', 'x=1'],
    ['zone', 'ü'],
  ],
  field: `f${number}`,
  type: 'float',
  ...more,
});
const block = (number: number, first: number, last: number, more: Partial<Block> = {}): Block => ({
  column: number,
  first: { ms: first, ns: 5 },
  last: { ms: last, ns: 7 },
  count: 3,
  tier: 0,
  bytes: Uint8Array.from([first & 255, 0, 255]),
  ...more,
});
async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of found) list.push(item);
  return list;
}
const bodies = async (storage: PointStorage, from?: number) =>
  (await all(storage.readLog(from))).map(({ body }) => new TextDecoder().decode(body));
const firsts = (blocks: readonly Block[]) => blocks.map(({ first }) => first.ms);

for (const id of adapterIds('storages')) {
  const places = shelfPlaces(id);
  after(() => places.close());
  const contract = (name: string, body: (open: Open, place: string) => Promise<void>) =>
    test(`${id}: ${name}`, { skip: places.skip }, async () =>
      body(await loadAdapter<Open>('storages', id), await places.create()),
    );

  contract(
    '1. records come back whole, numbered, in their order, after it was closed',
    async (open, place) => {
      const storage = await open(place);
      const records = [
        lines('a v=1'),
        lines('', { database: 'other', kind: 'instruction', precision: 'h', receivedAt: { ms: -5, ns: 0 } }),
        lines('b v=2\n'.repeat(10_000), { precision: 'n', keepsNotFinite: true }),
      ];
      const numbers: number[] = [];
      for (const record of records) numbers.push(await storage.appendLog(record));
      assert.ok(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number)));
      await storage.close();
      const again = await open(place);
      const found = await all(again.readLog());
      assert.deepEqual(
        found.map((record) => ({ ...record, body: Uint8Array.from(record.body) })),
        records.map((record, index) => ({ ...record, number: numbers[index] })),
      );
      assert.deepEqual(await bodies(again, numbers[1]), ['b v=2\n'.repeat(10_000)]);
      const next = await again.appendLog(lines('c v=3'));
      assert.ok(next > Math.max(...numbers));
      await again.close();
    },
  );

  contract('1. a reader goes on after the last record it read, also over a flush', async (open, place) => {
    const storage = await open(place);
    const reader = await open(place, { readOnly: true });
    let last = 0;
    const news = async () => {
      const found = await all(reader.readLog(last));
      last = found.at(-1)?.number ?? last;
      return found.map(({ body }) => new TextDecoder().decode(body));
    };
    assert.deepEqual(await news(), []);
    assert.equal(await reader.flushedUpTo(), 0);
    await storage.appendLog(lines('a'));
    const second = await storage.appendLog(lines('b'));
    assert.deepEqual(await news(), ['a', 'b']);
    assert.deepEqual(await news(), []);
    const third = await storage.appendLog(lines('c'));
    assert.deepEqual(await news(), ['c']);
    await storage.commit({ columns: [], blocks: [], replaced: [], upTo: second });
    assert.equal(await reader.flushedUpTo(), second);
    await storage.appendLog(lines('d'));
    assert.deepEqual(await news(), ['d']);
    // Who begins anew, or goes back, finds what is there.
    assert.deepEqual(await bodies(reader, 0), ['c', 'd']);
    assert.deepEqual(await bodies(reader, third), ['d']);
    await reader.close();
    await storage.close();
  });

  contract('1. records that come at once are kept in the order of the calls', async (open, place) => {
    const storage = await open(place);
    const bodiesSent = Array.from({ length: 200 }, (_, index) => `m v=${index}`);
    const numbers = await Promise.all(bodiesSent.map((body) => storage.appendLog(lines(body))));
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
    );
    assert.deepEqual(await bodies(storage), bodiesSent);
    await storage.close();
  });

  contract(
    '2. flush saves blocks, replaces others and forgets the log up to a record',
    async (open, place) => {
      const storage = await open(place);
      await storage.createDatabase('db');
      const first = await storage.appendLog(lines('a'));
      await storage.appendLog(lines('b'));
      await storage.commit({
        columns: [column(0), column(1)],
        blocks: [block(0, 10, 20), block(1, 5, 6)],
        replaced: [],
        upTo: first,
      });
      assert.deepEqual(await bodies(storage), ['b']);
      const last = await storage.appendLog(lines('c'));
      const [old] = await all(storage.blocks({ columns: [0], range: {}, tier: 0 }));
      assert.deepEqual(
        { ...old, bytes: Uint8Array.from(old?.bytes ?? []) },
        { ...block(0, 10, 20), id: old?.id },
      );
      await storage.commit({
        columns: [column(2)],
        blocks: [block(0, 10, 30)],
        replaced: [old?.id ?? -1],
        upTo: last,
      });
      await storage.close();
      const again = await open(place);
      assert.deepEqual(await bodies(again), []);
      assert.deepEqual(await again.columns(), [column(0), column(1), column(2)]);
      assert.deepEqual(await again.columns(2), [column(2)]);
      const blocks = await all(again.blocks({ columns: [1, 0], range: {}, tier: 0 }));
      assert.deepEqual(
        blocks.map(({ column, last }) => [column, last.ms]),
        [
          [1, 6],
          [0, 30],
        ],
      );
      assert.ok((await again.appendLog(lines('d'))) > last);
      assert.deepEqual(await bodies(again), ['d']);
      await again.close();
    },
  );

  contract('2. flush with an older number keeps the log', async (open, place) => {
    const storage = await open(place);
    const number = await storage.appendLog(lines('a'));
    await storage.commit({ columns: [column(0)], blocks: [block(0, 1, 2)], replaced: [], upTo: number - 1 });
    assert.deepEqual(await bodies(storage), ['a']);
    await storage.close();
  });

  contract('3. a second writer is refused, and comes in when the first has gone', async (open, place) => {
    const storage = await open(place);
    await assert.rejects(open(place), { code: 'POINTS_SHELF_IN_USE' });
    await storage.appendLog(lines('a'));
    await storage.close();
    const second = await open(place);
    assert.deepEqual(await bodies(second), ['a']);
    await second.close();
  });

  contract('3. another process reads log and blocks while one writes', async (open, place) => {
    const storage = await open(place);
    await storage.createDatabase('db');
    const number = await storage.appendLog(lines('a'));
    await storage.commit({ columns: [column(0)], blocks: [block(0, 1, 2)], replaced: [], upTo: number });
    await storage.appendLog(lines('b'));
    const module = pathToFileURL(`dist/src/metrics/adapters/storages/${id}/${id}.js`).href;
    const reader = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
      import open from ${JSON.stringify(module)};
      const storage = await open(${JSON.stringify(place)}, { readOnly: true });
      const list = [];
      for await (const { body } of storage.readLog()) list.push(Buffer.from(body).toString());
      for await (const { first } of storage.blocks({ columns: [0], range: {}, tier: 0 })) list.push(first.ms);
      list.push(...await storage.databases(), (await storage.columns()).length);
      try { await storage.appendLog({}); } catch ({ code }) { list.push(code); }
      console.log(JSON.stringify(list));
      await storage.close();
    `,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    reader.stdout.on('data', (chunk) => {
      output += chunk;
    });
    assert.deepEqual(await once(reader, 'close'), [0, null]);
    assert.deepEqual(JSON.parse(output), ['b', 1, 'db', 1, 'POINTS_READ_ONLY']);
    await storage.close();
  });

  contract(
    '4. a range and a tier give the blocks that touch them, however many there are',
    async (open, place) => {
      const storage = await open(place);
      const many = Array.from({ length: 1000 }, (_, index) => block(7, index * 10, index * 10 + 5));
      await storage.commit({
        columns: [column(7)],
        blocks: [...many, block(7, 0, 9000, { tier: 1 })],
        replaced: [],
        upTo: 0,
      });
      const read = async (from?: number, to?: number, tier = 0) =>
        firsts(
          await all(
            storage.blocks({
              columns: [7],
              range: {
                ...(from === undefined ? {} : { from: { ms: from, ns: 0 } }),
                ...(to === undefined ? {} : { to: { ms: to, ns: 0 } }),
              },
              tier,
            }),
          ),
        );
      assert.deepEqual(await read(), firsts(many));
      assert.deepEqual(await read(23, 41), [20, 30, 40]);
      assert.deepEqual(await read(26, 40), [30]);
      assert.deepEqual(await read(9990), [9990]);
      assert.deepEqual(await read(undefined, 0), []);
      assert.deepEqual(await read(-5, 1), [0]);
      assert.deepEqual(await read(100, 200, 1), [0]);
      assert.deepEqual(await read(9995.5), []);
      const back = { columns: [7], range: {}, tier: 0, isNewestFirst: true };
      assert.deepEqual(firsts(await all(storage.blocks(back))), firsts(many).reverse());
      const range = { from: { ms: 23, ns: 0 }, to: { ms: 41, ns: 0 } };
      assert.deepEqual(firsts(await all(storage.blocks({ ...back, range }))), [40, 30, 20]);
      assert.deepEqual(firsts(await all(storage.lastBlocks([7, 8]))), [9990]);
      await storage.close();
    },
  );

  contract('columns and databases are forgotten with their blocks, and others stay', async (open, place) => {
    const storage = await open(place);
    for (const name of ['db', 'x\'y"', 'db']) await storage.createDatabase(name);
    assert.deepEqual(await storage.databases(), ['db', 'x\'y"']);
    const columns = [column(0), column(1), column(2, { database: 'x\'y"', type: 'string' })];
    await storage.commit({
      columns,
      blocks: [block(0, 1, 2), block(1, 1, 2), block(2, 1, 2)],
      replaced: [],
      upTo: 0,
    });
    const { logBytes, ...size } = await storage.size('db');
    assert.deepEqual(size, { columns: 2, blocks: 2, points: 6, bytes: 6 });
    assert.ok(logBytes >= 0);
    await storage.deleteColumns([0]);
    assert.deepEqual(await storage.columns(), columns.slice(1));
    assert.deepEqual(firsts(await all(storage.blocks({ columns: [0, 1], range: {}, tier: 0 }))), [1]);
    await storage.dropDatabase('db');
    assert.deepEqual(await storage.databases(), ['x\'y"']);
    assert.deepEqual(await storage.columns(), columns.slice(2));
    assert.equal((await all(storage.blocks({ columns: [0, 1, 2], range: {}, tier: 0 }))).length, 1);
    await storage.close();
  });
}
