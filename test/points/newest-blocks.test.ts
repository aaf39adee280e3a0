import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import openStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import type { ColumnValues, TimeRange } from '../../src/metrics/core/points/points.ts';
import clock from '../../src/platform/adapters/system-clock.ts';
import { seededRandom } from '../../src/stats/random.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-newest-'));
after(() => rmSync(root, { recursive: true }));
const at = (ms: number) => ({ ms, ns: 0 });
const pairs = ({ timestamps, numbers }: ColumnValues) =>
  Array.from(timestamps.ms, (ms, i) => [ms, numbers?.[i] ?? Number.NaN]);

test('the last values are those of all values, whatever was asked, written and deleted before', async () => {
  const engine = await PointEngine.open(await openStorage(join(root, 'a')), { clock });
  await engine.createDatabase('db');
  const random = seededRandom(6);
  const whole = (most: number) => Math.floor(random() * most);
  const write = (from: number, count: number) => {
    const text = Array.from({ length: count }, (_, i) => `m v=${whole(1000)} ${from + i}`).join('\n');
    const record = { database: 'db', kind: 'lines', precision: 'ms', receivedAt: at(0) } as const;
    return engine.write({ ...record, body: Buffer.from(text) });
  };
  let end = 1000;
  await write(0, end);
  await engine.flush();
  const column = engine.columns('db')[0]?.number ?? -1;
  const asAll = async (range: TimeRange, last: number) => {
    const all = pairs(await engine.read(column, range));
    assert.deepEqual(pairs(await engine.read(column, range, { last })), all.slice(-last));
  };
  const steps = [
    async () => {
      const count = 1 + whole(600);
      await write(end, count);
      end += count;
    },
    // Late ones, some of them at moments that have a value.
    () => write(whole(end), 20),
    () => engine.flush(),
    () => engine.deletePoints([column], { from: at(end - whole(100)), to: at(end - whole(50)) }),
  ];
  for (let round = 0; round < 40; round++) {
    const changing = steps[whole(steps.length)]?.();
    // While it changes, too: what is read then shall not be kept for later.
    const meanwhile = engine.read(column, {}, { last: 5 });
    await Promise.all([changing, meanwhile]);
    for (const range of [{}, { from: at(end - 30) }, { to: at(end - whole(300)) }]) {
      await asAll(range, 1 + whole(20));
      await asAll(range, 5);
    }
  }
  await engine.close();
});

test('what was read belongs to who asked', async () => {
  const engine = await PointEngine.open(await openStorage(join(root, 'b')), { clock });
  await engine.createDatabase('db');
  const record = { database: 'db', kind: 'lines', precision: 'ms', receivedAt: at(0) } as const;
  await engine.write({ ...record, body: Buffer.from('m v=1 10\nm v=2 20\nm v=3 30') });
  await engine.flush();
  const column = engine.columns('db')[0]?.number ?? -1;
  for (let i = 0; i < 3; i++) {
    const read = await engine.read(column, {}, { last: 2 });
    assert.deepEqual(pairs(read), [
      [20, 2],
      [30, 3],
    ]);
    read.numbers?.fill(7);
    read.timestamps.ms.fill(7);
  }
  await engine.close();
});
