import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'libsql';
import type { Run } from '../../core/run.ts';
import { openSqliteStore as openStore } from './sqlite-store.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'nightmark-store-')), 'own', 'index.db');
const run: Run = {
  id: '20260105-030700-a',
  kind: 'night',
  project: 'p',
  label: '01-05-2026-0307',
  state: 'finished',
  startedAt: 1000.5,
  order: ['b', 'a'],
  origin: 'measured',
  warnings: [],
};

test('a new file has WAL, the current schema version and strict tables', async () => {
  const file = newFile();
  (await openStore(file)).close();
  const raw = new Database(file);
  assert.equal(raw.prepare('PRAGMA journal_mode').raw().all([])[0]?.toString(), 'wal');
  assert.equal(raw.prepare('PRAGMA user_version').raw().all([])[0]?.toString(), '7');
  raw.close();
});

test('an index of a newer version is refused and left alone', async () => {
  const file = newFile();
  (await openStore(file)).close();
  const raw = new Database(file);
  raw.exec('PRAGMA user_version = 99');
  raw.close();
  await assert.rejects(openStore(file), { code: 'STORE_TOO_NEW', message: /form 99/ });
});

test('an index of an older version is brought up to date and keeps what it has', async () => {
  const file = newFile();
  const old = await openStore(file);
  await old.saveRun(run);
  old.close();
  const raw = new Database(file);
  raw.exec(
    'DROP TABLE directions; ALTER TABLE series DROP COLUMN metric; ALTER TABLE samples DROP COLUMN original; DROP TABLE commits; DROP TABLE judgements; DROP TABLE absences; DROP TABLE changes; DROP TABLE kpi_values; DROP TABLE payloads; PRAGMA user_version = 1',
  );
  raw.close();
  await assert.rejects(openStore(file, { readOnly: true }), { code: 'STORE_OUTDATED' });
  const store = await openStore(file);
  assert.deepEqual(await store.latestRuns({ limit: 9 }), [run]);
  assert.deepEqual(await store.payloads({ limit: 9 }), []);
  store.close();
});

test('a damaged file is reported as damaged, with what to do', async () => {
  const file = newFile();
  mkdirSync(join(file, '..'));
  writeFileSync(file, 'this is no database '.repeat(500));
  for (const readOnly of [true, false]) {
    await assert.rejects(openStore(file, { readOnly }), { code: 'STORE_DAMAGED', hint: /nightmark reindex/ });
  }
  assert.match(readFileSync(file, 'utf8'), /^this is no database/);
});

test('damage inside of a file is found when it is read', async () => {
  const file = newFile();
  const store = await openStore(file);
  await store.together(async () => {
    for (let i = 0; i < 2000; i++) await store.saveRun({ ...run, id: `r${i}`, startedAt: i });
  });
  store.close();
  const raw = new Database(file);
  raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  raw.close();
  const bytes = readFileSync(file);
  // The first pages hold the schema, which is read when the file is opened.
  bytes.fill(0x5a, bytes.length >> 1);
  const broken = `${file}.broken`;
  writeFileSync(broken, bytes);
  const opened = await openStore(broken);
  await assert.rejects(opened.latestRuns({ limit: 2000 }), { code: 'STORE_DAMAGED' });
  opened.close();
});

test('reading only creates nothing and refuses to write', async () => {
  const file = newFile();
  await assert.rejects(openStore(file, { readOnly: true }), { code: 'STORE_CANNOT_OPEN' });
  assert.equal(existsSync(join(file, '..')), false);
  const writer = await openStore(file);
  await writer.saveRun(run);
  const reader = await openStore(file, { readOnly: true });
  assert.deepEqual(await reader.run(run.id), run);
  await assert.rejects(reader.saveRun(run), { code: 'STORE_DENIED' });
  reader.close();
  writer.close();
});

test('an empty file that is only read asks for a reindex', async () => {
  const file = newFile();
  mkdirSync(join(file, '..'));
  writeFileSync(file, '');
  await assert.rejects(openStore(file, { readOnly: true }), {
    code: 'STORE_EMPTY',
    hint: /nightmark reindex/,
  });
});

test('file names with spaces, quotes, percent and question marks are found again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-store-'));
  const file = join(dir, 'a b "c" 50%20 #1 ?mode=x é', 'index.db');
  const writer = await openStore(file);
  await writer.saveRun(run);
  const reader = await openStore(file, { readOnly: true });
  assert.deepEqual(await reader.run(run.id), run);
  reader.close();
  writer.close();
});

test('a NUL in a message becomes visible instead of cutting the message', async () => {
  const store = await openStore(newFile());
  await store.saveRun({ ...run, warnings: ['a\0b'], project: 'p\0q \ud800' });
  const found = await store.run(run.id);
  assert.equal(found?.warnings[0], 'a\0b');
  assert.equal(found?.project, 'p\u2400q \ufffd');
  store.close();
});

test('trials without their run are refused with a reason', async () => {
  const store = await openStore(newFile());
  const trial = {
    runId: 'x',
    task: 't',
    kind: 'experiment',
    state: 'failed',
    message: '',
    commits: {},
  } as const;
  await assert.rejects(store.saveTrials([trial]), { code: 'STORE_UNKNOWN_RUN' });
  store.close();
});

test('a folder is refused as an index', async () => {
  const file = newFile();
  mkdirSync(file, { recursive: true });
  await assert.rejects(openStore(file), { code: 'STORE_CANNOT_OPEN' });
});

test('two groups of saves side by side do not undo each other', async () => {
  const store = await openStore(newFile());
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
  const outcomes = await Promise.allSettled([
    store.together(async () => {
      await store.saveRun({ ...run, id: 'lost' });
      await pause();
      throw new Error('the first fails');
    }),
    store.together(async () => {
      await store.saveRun({ ...run, id: 'kept' });
      await store.together(async () => store.saveRun({ ...run, id: 'inner' }));
    }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  assert.deepEqual(
    (await store.latestRuns({ limit: 9 })).map(({ id }) => id),
    ['kept', 'inner'],
  );
  store.close();
});

test('values that are not a number come back as such', async () => {
  const store = await openStore(newFile());
  const at = 5;
  const values = [Number.NaN, Infinity, -Infinity, 5e-324, 2 ** 53].map((value, index) => ({
    experiment: 'e',
    path: [String(index)],
    value,
  }));
  await store.saveValues({ runId: 'r', task: 'e', at, values });
  const found = [];
  for (const { id } of await store.series({ limit: Infinity })) {
    found.push((await store.history(id, { limit: 1 })).values[0]);
  }
  assert.deepEqual(found, [Number.NaN, Infinity, -Infinity, 5e-324, 2 ** 53]);
  store.close();
});
