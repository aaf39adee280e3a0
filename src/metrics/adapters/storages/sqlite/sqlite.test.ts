import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'libsql';
import type { LogRecord, PointStorage } from '../../../core/points/point-storage.ts';
import openSqliteStorage from './sqlite.ts';

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'nightmark-storage-')), 'points');
const record = (body: string): LogRecord => ({
  database: 'db',
  kind: 'lines',
  body: Buffer.from(body),
  precision: 'n',
  receivedAt: { ms: 1, ns: 2 },
});
async function bodies(storage: PointStorage): Promise<string[]> {
  const list: string[] = [];
  for await (const { body } of storage.readLog()) list.push(Buffer.from(body).toString());
  return list;
}
const segments = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.log'));

async function folderWith(...texts: string[]): Promise<{ folder: string; file: string }> {
  const folder = newFolder();
  const storage = await openSqliteStorage(folder);
  for (const text of texts) await storage.appendLog(record(text));
  await storage.close();
  return { folder, file: join(folder, segments(folder)[0] ?? '') };
}

test('a torn end is reported, hides nothing before it, and nothing that is written after it', async () => {
  const { folder, file } = await folderWith('one', 'two', 'three');
  truncateSync(file, readFileSync(file).length - 2);
  const storage = await openSqliteStorage(folder);
  assert.deepEqual(
    storage.damage?.().map(({ place, state }) => [place, state]),
    [[file, 'torn']],
  );
  await storage.appendLog(record('four'));
  assert.deepEqual(await bodies(storage), ['one', 'two', 'four']);
  await storage.close();
  const again = await openSqliteStorage(folder);
  assert.deepEqual(await bodies(again), ['one', 'two', 'four']);
  await again.close();
});

test('a damaged record in the middle is reported and passed over', async () => {
  const { folder, file } = await folderWith('one', 'TWO', 'three');
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('TWO')] = 0x78;
  writeFileSync(file, bytes);
  const storage = await openSqliteStorage(folder);
  assert.deepEqual(
    storage.damage?.().map(({ state }) => state),
    ['damaged'],
  );
  assert.deepEqual(await bodies(storage), ['one', 'three']);
  await storage.close();
});

test('garbage at the end of the log is no record', async () => {
  const { folder, file } = await folderWith('one');
  appendFileSync(file, Buffer.alloc(100, 0xab));
  const storage = await openSqliteStorage(folder);
  assert.equal(storage.damage?.().length, 1);
  assert.deepEqual(await bodies(storage), ['one']);
  await storage.close();
});

test('files of the log are deleted when all in them is settled, and the last number is kept', async () => {
  const folder = newFolder();
  const storage = await openSqliteStorage(folder, { syncEveryMs: 0 });
  const large = 'x'.repeat(9 * 1024 ** 2);
  const numbers = [];
  for (const text of [large, large, large, 'end']) numbers.push(await storage.appendLog(record(text)));
  assert.equal(segments(folder).length, 2);
  await storage.commit({ columns: [], blocks: [], replaced: [], upTo: numbers[1] ?? 0 });
  assert.equal(segments(folder).length, 1);
  await storage.commit({ columns: [], blocks: [], replaced: [], upTo: numbers[3] ?? 0 });
  assert.deepEqual(segments(folder), []);
  await storage.close();
  const again = await openSqliteStorage(folder);
  assert.equal(await again.appendLog(record('next')), (numbers[3] ?? 0) + 1);
  await again.close();
});

test('reading only creates nothing, and a newer form is refused', async () => {
  const folder = newFolder();
  await assert.rejects(openSqliteStorage(folder, { readOnly: true }), { code: 'POINTS_NO_SHELF' });
  assert.equal(existsSync(folder), false);
  await (await openSqliteStorage(folder)).close();
  const raw = new Database(join(folder, 'blocks.db'));
  raw.exec('PRAGMA user_version = 99');
  raw.close();
  await assert.rejects(openSqliteStorage(folder), { code: 'POINTS_TOO_NEW' });
  // The lock was given back.
  await assert.rejects(openSqliteStorage(folder), { code: 'POINTS_TOO_NEW' });
});

test('a damaged file of blocks is reported, with the way out', async () => {
  const { folder } = await folderWith('one');
  writeFileSync(join(folder, 'blocks.db'), 'no database '.repeat(1000));
  await assert.rejects(openSqliteStorage(folder), { code: 'POINTS_SHELF_FAILED', hint: /backup/ });
});
