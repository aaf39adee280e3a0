import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import openStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import type { PointEngineOptions } from '../../src/metrics/app/flush-memtable.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import type { LogRecord } from '../../src/metrics/core/points/point-storage.ts';
import type { ColumnValues, TimeRange } from '../../src/metrics/core/points/points.ts';
import clock from '../../src/platform/adapters/system-clock.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-engine-'));
after(() => rmSync(root, { recursive: true }));
let places = 0;
const newPlace = () => join(root, String(places++));
const open = async (place: string, options?: PointEngineOptions) =>
  PointEngine.open(await openStorage(place), { clock }, options);
const lines = (text: string, more: Partial<LogRecord> = {}): LogRecord => ({
  database: 'db',
  kind: 'lines',
  body: Buffer.from(text),
  precision: 'ms',
  receivedAt: { ms: 1_700_000_000_000, ns: 0 },
  ...more,
});
const at = (ms: number) => ({ ms, ns: 0 });
const pairs = ({ timestamps, numbers, bigints, strings }: ColumnValues) =>
  Array.from(timestamps.ms, (ms, i) => [ms, bigints?.[i] ?? numbers?.[i] ?? strings?.[i]]);
const columnOf = (engine: PointEngine, measurement: string, field = 'v') =>
  engine.columns('db').find((column) => column.measurement === measurement && column.field === field)
    ?.number ?? -1;

test('points are read from memory, from blocks and from both, the last written value of a moment', async () => {
  const engine = await open(newPlace());
  await engine.createDatabase('db');
  assert.deepEqual(await engine.write(lines('a v=1 10\na v=2 30\nb v=5i 10\nbad')), {
    lines: 4,
    values: 3,
    refused: [{ line: 'bad', reason: 'syntax', message: 'missing fields' }],
    refusedLines: 1,
    reasons: { syntax: 1 },
  });
  const a = columnOf(engine, 'a');
  assert.deepEqual(pairs(await engine.read(a, {})), [
    [10, 1],
    [30, 2],
  ]);
  await engine.flush();
  await engine.write(lines('a v=3 20\na v=4 30\na v=9 5'));
  const expected = [
    [5, 9],
    [10, 1],
    [20, 3],
    [30, 4],
  ];
  assert.deepEqual(pairs(await engine.read(a, {})), expected);
  assert.deepEqual(pairs(await engine.read(a, { from: at(10), to: at(30) })), [
    [10, 1],
    [20, 3],
  ]);
  await engine.flush();
  assert.deepEqual(pairs(await engine.read(a, {})), expected);
  assert.equal((await engine.size('db')).points, 5);
  await engine.close();
});

test('what was acknowledged is there after opening again, with large integers, texts and nan', async () => {
  const place = newPlace();
  const storage = await openStorage(place);
  const engine = await PointEngine.open(storage, { clock });
  await engine.createDatabase('db');
  await engine.write(lines('m i=9223372036854775807i,s="x y",b=true,f=nan 7', { keepsNotFinite: true }));
  await engine.write(lines('m i=5i,s="",b=false,f=-0 6'));
  await storage.close();
  for (const round of [1, 2]) {
    const again = await open(place);
    const values = await Promise.all(
      ['i', 's', 'b', 'f'].map(async (field) => pairs(await again.read(columnOf(again, 'm', field), {}))),
    );
    assert.deepEqual(
      values,
      [
        [
          [6, 5n],
          [7, 9223372036854775807n],
        ],
        [
          [6, ''],
          [7, 'x y'],
        ],
        [
          [6, 0],
          [7, 1],
        ],
        [
          [6, -0],
          [7, Number.NaN],
        ],
      ],
      `round ${round}`,
    );
    await again.close();
  }
});

test('the newest value of each column is the latest in time, wherever it lies', async () => {
  const engine = await open(newPlace());
  await engine.createDatabase('db');
  await engine.write(lines('a v=1 10\nb v=2 10\nc v="t" 10'));
  await engine.flush();
  await engine.write(lines('a v=3 20\nb v=4 5\nd v=6 1'));
  const columns = ['a', 'b', 'c', 'd'].map((name) => columnOf(engine, name));
  const expected = [[[20, 3]], [[10, 2]], [[10, 't']], [[1, 6]]];
  assert.deepEqual((await engine.latest(columns)).map(pairs), expected);
  await engine.flush();
  assert.deepEqual((await engine.latest(columns)).map(pairs), expected);
  await engine.write(lines('b v=7 10'));
  assert.deepEqual((await engine.latest(columns.slice(1, 2))).map(pairs), [[[10, 7]]]);
  await engine.close();
});

test('deleted points are gone from memory, blocks and log; columns without values and dropped databases are forgotten', async () => {
  const place = newPlace();
  const engine = await open(place);
  for (const name of ['db', 'other']) await engine.createDatabase(name);
  await engine.write(lines('a v=1 10\na v=2 20\na v=3 30\nb v=1 10'));
  await engine.flush();
  await engine.write(lines('a v=4 25\nb v=2 20'));
  await engine.write(lines('z v=1 1', { database: 'other' }));
  await engine.deletePoints([columnOf(engine, 'a')], { from: at(15), to: at(30) });
  assert.deepEqual(pairs(await engine.read(columnOf(engine, 'a'), {})), [
    [10, 1],
    [30, 3],
  ]);
  await engine.deletePoints([columnOf(engine, 'b')], {});
  assert.deepEqual(
    engine.columns('db').map(({ measurement }) => measurement),
    ['a'],
  );
  await engine.dropDatabase('other');
  await assert.rejects(engine.write(lines('z v=1 1', { database: 'other' })), { code: 'POINTS_NO_DATABASE' });
  await engine.write(lines('b v="now a text" 1'));
  await engine.close();
  const again = await open(place);
  assert.deepEqual(again.databases(), ['db']);
  assert.deepEqual(pairs(await again.read(columnOf(again, 'a'), {})), [
    [10, 1],
    [30, 3],
  ]);
  assert.deepEqual(pairs(await again.read(columnOf(again, 'b'), {})), [[1, 'now a text']]);
  await again.close();
});

test('a deletion of columns that have nothing in memory leaves the log as it is', async () => {
  const place = newPlace();
  const engine = await open(place);
  await engine.createDatabase('db');
  await engine.write(lines('b v=1 10\na v=1 10\na v=2 20'));
  // In the order in which they came, as the port says.
  assert.deepEqual(
    engine.columns('db').map(({ measurement }) => measurement),
    ['b', 'a'],
  );
  await engine.flush();
  await engine.write(lines('b v=2 20\nc v=1 10'));
  const waiting = async () => (await engine.size('db')).waiting;
  await engine.deletePoints([columnOf(engine, 'a')], { from: at(15) });
  assert.equal(await waiting(), 2);
  await engine.deletePoints([columnOf(engine, 'a')], {});
  assert.equal(await waiting(), 2);
  await engine.deletePoints([columnOf(engine, 'b')], { from: at(15) });
  assert.equal(await waiting(), 0);
  await engine.close();
  const again = await open(place);
  assert.deepEqual(
    again.columns('db').map(({ measurement }) => measurement),
    ['b', 'c'],
  );
  assert.deepEqual(pairs(await again.read(columnOf(again, 'b'), {})), [[10, 1]]);
  assert.deepEqual(pairs(await again.read(columnOf(again, 'c'), {})), [[10, 1]]);
  await again.close();
});

const endOf = <T>(all: readonly T[], end: { first: number } | { last: number }) =>
  'first' in end ? all.slice(0, end.first) : all.slice(Math.max(0, all.length - end.last));

test('some values at an end of a range are those of the whole range, and few blocks are asked for', async () => {
  const storage = await openStorage(newPlace());
  const { blocks } = storage;
  let asked = 0;
  storage.blocks = async function* (query) {
    for await (const block of blocks(query)) {
      asked++;
      yield block;
    }
  };
  const engine = await PointEngine.open(storage, { clock });
  await engine.createDatabase('db');
  const rows = Array.from({ length: 100_000 }, (_, i) => `a v=${i % 977} ${1_000_000 + 10 * i}`);
  await engine.write(lines(rows.join('\n')));
  await engine.flush();
  await engine.write(lines('a v=-1 1000055\na v=-2 1999905\na v=-3 3000000\na v=-4 1999990'));
  const a = columnOf(engine, 'a');
  for (const range of [{}, { from: at(1_200_003), to: at(1_800_000) }, { from: at(1_999_000) }]) {
    const whole = pairs(await engine.read(a, range));
    for (const count of [0, 1, 7, 1000, 5000, 200_000]) {
      for (const end of [{ first: count }, { last: count }]) {
        asked = 0;
        assert.deepEqual(pairs(await engine.read(a, range, end)), endOf(whole, end));
        if (count <= 1000) assert.ok(asked <= 2, `${asked} blocks for ${count} values`);
      }
    }
  }
  await engine.close();
});

test('small blocks are merged, so that they do not grow without end', async () => {
  const place = newPlace();
  let engine = await open(place);
  await engine.createDatabase('db');
  for (let round = 0; round < 60; round++) {
    await engine.write(
      lines(Array.from({ length: 20 }, (_, i) => `a v=${round * 20 + i} ${round * 20 + i}`).join('\n')),
    );
    await engine.flush();
    if (round % 20 === 19) {
      await engine.close();
      engine = await open(place);
    }
  }
  const { blocks, points } = await engine.size('db');
  assert.equal(points, 1200);
  assert.ok(blocks <= 12, `${blocks} blocks`);
  const values = pairs(await engine.read(columnOf(engine, 'a'), {}));
  assert.deepEqual(
    values,
    Array.from({ length: 1200 }, (_, i) => [i, i]),
  );
  await engine.close();
});

test('buckets have count, smallest and largest of what a plain loop finds, over blocks and memory', async () => {
  const engine = await open(newPlace());
  await engine.createDatabase('db');
  const values = new Map<number, number>();
  const write = async (from: number, to: number, factor: number) => {
    const rows: string[] = [];
    for (let ms = from; ms < to; ms++) {
      values.set(ms, (ms * factor) % 1013);
      rows.push(`a v=${(ms * factor) % 1013} ${ms}`);
    }
    await engine.write(lines(rows.join('\n')));
  };
  await write(0, 20_000, 7919);
  await engine.flush();
  await write(19_000, 21_000, 31);
  await write(5_000, 5_003, 977);
  for (const buckets of [1, 3, 100, 1000]) {
    const [from, to] = [100, 20_500];
    const found = await engine.buckets(columnOf(engine, 'a'), { from: at(from), to: at(to) }, buckets);
    const expected = Array.from({ length: buckets }, () => ({ count: 0, min: Infinity, max: -Infinity }));
    for (const [ms, value] of values) {
      const bucket = expected[Math.floor(((ms - from) * buckets) / (to - from))];
      if (ms < from || ms >= to || !bucket) continue;
      bucket.count++;
      bucket.min = Math.min(bucket.min, value);
      bucket.max = Math.max(bucket.max, value);
    }
    assert.deepEqual(
      [...found.count],
      expected.map(({ count }) => count),
    );
    assert.deepEqual(
      [...found.min],
      expected.map(({ min }) => min),
    );
    assert.deepEqual(
      [...found.max],
      expected.map(({ max }) => max),
    );
  }
  await engine.close();
});

test('old values become summaries of minutes, then of hours, and are read as such; later ones stay as they are', async () => {
  const place = newPlace();
  let now = 0;
  const stopped = { now: () => now, sleep: clock.sleep };
  const engine = await PointEngine.open(await openStorage(place), { clock: stopped });
  await engine.createDatabase('db');
  const MINUTE = 60_000;
  const rows = Array.from({ length: 4 * 120 }, (_, i) => `a v=${i % 4},s="t${i}",n=${i}i ${i * 15_000}`);
  await engine.write(lines(rows.join('\n')));
  await engine.flush();
  await engine.write(lines('a v=100 7200000'));
  now = 121 * MINUTE;
  await engine.retain('db', { rawMs: MINUTE });
  const read = async (field: string, range: TimeRange = {}) =>
    pairs(await engine.read(columnOf(engine, 'a', field), range));
  const minutes = Array.from({ length: 120 }, (_, i) => i);
  assert.deepEqual(await read('v'), [...minutes.map((i) => [i * MINUTE, 1.5]), [7_200_000, 100]]);
  assert.deepEqual(await read('s', { from: at(MINUTE), to: at(2 * MINUTE) }), [[MINUTE, 't7']]);
  assert.deepEqual(await read('n', { from: at(MINUTE), to: at(2 * MINUTE) }), [[MINUTE, 7]]);
  const { count, min, max } = await engine.buckets(
    columnOf(engine, 'a'),
    { from: at(0), to: at(7_200_000) },
    2,
  );
  assert.deepEqual(
    [[...count], [...min], [...max]],
    [
      [240, 240],
      [0, 0],
      [3, 3],
    ],
  );
  // Summaries of older times, then a block, as one stretch.
  assert.deepEqual(await engine.extent(columnOf(engine, 'a')), { first: at(0), last: at(7_200_000) });
  // A late value joins the summary of its minute.
  await engine.write(lines('a v=9 1000'));
  await engine.retain('db', { rawMs: MINUTE });
  assert.deepEqual(await read('v', { to: at(MINUTE) }), [[0, 3]]);
  await engine.retain('db', { rawMs: MINUTE, minutesMs: MINUTE });
  assert.deepEqual(
    (await read('v')).map(([ms]) => ms),
    [0, 3_600_000, 7_200_000],
  );
  await engine.deletePoints([columnOf(engine, 'a')], { to: at(3_600_000) });
  assert.deepEqual(await read('v'), [
    [3_600_000, 1.5],
    [7_200_000, 100],
  ]);
  now = 5000 * MINUTE;
  await engine.retain('db', { rawMs: MINUTE, minutesMs: MINUTE, hoursMs: MINUTE });
  assert.deepEqual(await read('v'), []);
  await engine.close();
});

test('reads while points come in and are settled see every acknowledged one, in order and once', async () => {
  const engine = await open(newPlace(), { flushValues: 300 });
  await engine.createDatabase('db');
  await engine.write(lines('a v=0 0'));
  const column = columnOf(engine, 'a');
  let [acknowledged, isDone] = [0, false];
  const reading = (async () => {
    let reads = 0;
    for (; !isDone; reads++) {
      const least = acknowledged;
      const [values, [latest]] = await Promise.all([engine.read(column, {}), engine.latest([column])]);
      assert.ok(values.timestamps.ms.length > least);
      assert.deepEqual(values.timestamps.ms, Float64Array.from(values.timestamps.ms.keys()));
      assert.ok((latest?.numbers?.[0] ?? -1) >= least);
      await clock.sleep(0);
    }
    return reads;
  })();
  for (let batch = 0; batch < 400; batch++) {
    const first = batch * 10 + 1;
    await engine.write(
      lines(Array.from({ length: 10 }, (_, i) => `a v=${first + i} ${first + i}`).join('\n')),
    );
    acknowledged = first + 9;
    if (batch % 8 === 0) await clock.sleep(1);
  }
  isDone = true;
  assert.ok((await reading) > 5);
  assert.equal(engine.failure, undefined);
  await engine.close();
});

test('a write that the log refuses is reported, and those before and after it are kept', async () => {
  const place = newPlace();
  const storage = await openStorage(place);
  let isFull = false;
  const appendLog = (record: LogRecord) =>
    isFull ? Promise.reject(new Error('the disk is full')) : storage.appendLog(record);
  const engine = await PointEngine.open({ ...storage, appendLog }, { clock });
  await engine.createDatabase('db');
  await engine.write(lines('a v=1 1'));
  isFull = true;
  await assert.rejects(engine.write(lines('new v=2 1')), /the disk is full/);
  isFull = false;
  await engine.write(lines('b v=3 1\nnew v=4 2'));
  await engine.flush();
  await engine.write(lines('b v=5 2'));
  await storage.close();
  const again = await open(place);
  assert.deepEqual(pairs(await again.read(columnOf(again, 'a'), {})), [[1, 1]]);
  assert.deepEqual(pairs(await again.read(columnOf(again, 'b'), {})), [
    [1, 3],
    [2, 5],
  ]);
  assert.deepEqual(pairs(await again.read(columnOf(again, 'new'), { from: at(2) })), [[2, 4]]);
  await again.close();
});

test('a flush that fails loses nothing, and the next one does it', async () => {
  const storage = await openStorage(newPlace());
  let isFull = true;
  const commit: typeof storage.commit = (change) =>
    isFull ? Promise.reject(new Error('the disk is full')) : storage.commit(change);
  const engine = await PointEngine.open({ ...storage, commit }, { clock });
  await engine.createDatabase('db');
  await engine.write(lines('a v=1 1'));
  await assert.rejects(engine.flush(), /the disk is full/);
  await engine.write(lines('a v=2 2'));
  assert.deepEqual(pairs(await engine.read(columnOf(engine, 'a'), {})), [
    [1, 1],
    [2, 2],
  ]);
  isFull = false;
  await engine.flush();
  assert.equal((await engine.size('db')).points, 2);
  await engine.close();
});

type Step =
  | { readonly do: 'write'; readonly points: readonly (readonly [column: number, at: number])[] }
  | { readonly do: 'flush' | 'reopen' | 'crash' }
  | { readonly do: 'delete'; readonly column: number; readonly from: number; readonly to: number };

const moment = fc.oneof(fc.nat(60), fc.nat(5000));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      points: fc.array(fc.tuple(fc.nat(3), moment), { maxLength: 60 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('flush' as const, 'reopen' as const, 'crash' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete' as const), column: fc.nat(3), from: moment, to: moment }),
  },
);

test('whatever is written, settled, deleted and opened again, reads give what a plain map would', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const place = newPlace();
      let storage = await openStorage(place);
      let engine = await PointEngine.open(storage, { clock });
      await engine.createDatabase('db');
      const model = [0, 1, 2, 3].map(() => new Map<number, number>());
      let value = 0;
      for (const step of steps) {
        if (step.do === 'write') {
          const rows = step.points.map(([column, ms]) => {
            model[column]?.set(ms, ++value);
            return `m${column} v=${value} ${ms}`;
          });
          await engine.write(lines(rows.join('\n')));
        } else if (step.do === 'flush') await engine.flush();
        else if (step.do === 'delete') {
          for (const ms of model[step.column]?.keys() ?? []) {
            if (ms >= step.from && ms < step.to) model[step.column]?.delete(ms);
          }
          const column = columnOf(engine, `m${step.column}`);
          const range: TimeRange = { from: at(step.from), to: at(step.to) };
          if (column >= 0) await engine.deletePoints([column], range);
        } else {
          if (step.do === 'reopen') await engine.close();
          else await storage.close();
          storage = await openStorage(place);
          engine = await PointEngine.open(storage, { clock });
        }
      }
      for (const [index, values] of model.entries()) {
        const column = columnOf(engine, `m${index}`);
        const sorted = [...values].sort(([a], [b]) => a - b);
        const found = column < 0 ? [] : pairs(await engine.read(column, {}));
        assert.deepEqual(found, sorted);
        const part = column < 0 ? [] : pairs(await engine.read(column, { from: at(10), to: at(1000) }));
        assert.deepEqual(
          part,
          sorted.filter(([ms]) => ms >= 10 && ms < 1000),
        );
        for (const end of column < 0 ? [] : [{ first: 3 }, { last: 3 }, { last: 0 }]) {
          const few = pairs(await engine.read(column, { from: at(10), to: at(1000) }, end));
          assert.deepEqual(few, endOf(part, end));
        }
        const [latest] = column < 0 ? [] : await engine.latest([column]);
        assert.deepEqual(latest ? pairs(latest) : [], sorted.slice(-1));
      }
      await engine.close();
      rmSync(place, { recursive: true });
    }),
    { numRuns: 40 },
  );
});
