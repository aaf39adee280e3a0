import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { knownVersion, lockSqlite, migrate, openSqlite, type SqliteUse, toLimit } from './sqlite.ts';

const USE: SqliteUse = {
  what: 'drawer',
  codes: { failed: 'X_FAILED', busy: 'X_BUSY', outdated: 'X_OLD', tooNew: 'X_NEW' },
  hints: { damaged: 'Throw it away.' },
};
const STEPS = ['CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT) STRICT', 'CREATE INDEX i ON t (text)'];
const newFile = () => join(mkdtempSync(join(tmpdir(), 'nightmark-sqlite-')), 'a.db');

function open(file = newFile()) {
  const connection = openSqlite(file, USE, { busyMs: 0 });
  migrate(connection, STEPS, USE);
  return connection;
}

test('values go in by place or by number, rows come out as tuples or objects', () => {
  const sqlite = open();
  for (const [n, text] of [
    [1, 'a\0b'],
    [2, undefined],
  ] as const)
    sqlite.rows('INSERT INTO t (text, n) VALUES ($2, $1)', [n, text]);
  const sql = 'SELECT n, text FROM t WHERE n >= ? ORDER BY n';
  assert.deepEqual(sqlite.all(sql, [0]), [
    [1, 'a\u2400b'],
    [2, null],
  ]);
  assert.deepEqual(sqlite.rows(sql, [2]), [{ n: 2, text: null }]);
  assert.deepEqual(sqlite.first(sql, [1]), [1, 'a\u2400b']);
  assert.equal(sqlite.first(sql, [3]), undefined);
  const pairs = [];
  for (const [one] of sqlite.each<[number]>(sql, [0]))
    for (const [other] of sqlite.each<[number]>(sql, [0])) pairs.push(one * 10 + other);
  assert.deepEqual(pairs, [11, 12, 21, 22]);
  for (let n = 0; n < 1000; n++) assert.deepEqual(sqlite.all(`SELECT ${n}`), [[n]]);
  sqlite.close();
});

test('a transaction is all or nothing, also one that waits, and one inside joins', async () => {
  const sqlite = open();
  const count = () => sqlite.first<[number]>('SELECT count(*) FROM t')?.[0];
  const insert = (n: number) => sqlite.run('INSERT INTO t (n) VALUES (?)', [n]);
  const failing = () =>
    sqlite.atomically(() => {
      insert(1);
      sqlite.atomically(() => insert(2));
      insert(1);
    });
  assert.throws(failing, { code: 'X_FAILED', message: /The drawer .*a\.db failed \(.*UNIQUE/ });
  assert.equal(count(), 0);
  await assert.rejects(
    sqlite.transaction(async () => {
      insert(1);
      await null;
      throw new Error('no');
    }),
    { message: 'no' },
  );
  assert.equal(count(), 0);
  assert.equal(await sqlite.transaction(async () => insert(3)), undefined);
  assert.equal(count(), 1);
  sqlite.close();
});

test('another writer is distinguished from other failures, and damage from both', () => {
  const file = newFile();
  const [one, other] = [open(file), open(file)];
  one.exec('BEGIN IMMEDIATE');
  assert.throws(() => other.run('DELETE FROM t', []), { code: 'X_BUSY', message: /written by another/ });
  one.exec('ROLLBACK');
  one.close();
  other.close();
  const broken = newFile();
  writeFileSync(broken, 'no database '.repeat(1000));
  assert.throws(() => open(broken), { code: 'X_FAILED', message: /is damaged/, hint: 'Throw it away.' });
  const gone = join(newFile(), 'gone.db');
  assert.throws(() => openSqlite(gone, USE, { readOnly: true }), {
    code: 'X_FAILED',
    message: /cannot be opened/,
  });
});

test('steps are taken once, an older file is not only read, and a newer one is left alone', () => {
  const file = newFile();
  const old = openSqlite(file, USE);
  migrate(old, STEPS.slice(0, 1), USE);
  old.run('INSERT INTO t (n) VALUES (?)', [7]);
  const reader = openSqlite(file, USE, { readOnly: true });
  assert.throws(() => migrate(reader, STEPS, USE, { readOnly: true }), { code: 'X_OLD', message: /form 1/ });
  reader.close();
  migrate(old, STEPS, USE);
  assert.equal(knownVersion(old, STEPS, USE), 2);
  assert.deepEqual(old.all('SELECT n FROM t'), [[7]]);
  assert.throws(() => migrate(old, STEPS.slice(0, 1), USE), {
    code: 'X_NEW',
    message: /form 2, this one knows 1/,
  });
  old.close();
});

test('a lock is held by one until it is released', () => {
  const file = newFile();
  const release = lockSqlite(file, USE);
  assert.ok(release);
  assert.equal(lockSqlite(file, USE), undefined);
  release();
  release();
  const again = lockSqlite(file, USE);
  assert.ok(again);
  again();
  writeFileSync(file, 'no lock '.repeat(1000));
  assert.throws(() => lockSqlite(file, USE), { code: 'X_FAILED', message: /is damaged/ });
});

test('limits are whole and finite', () =>
  assert.deepEqual([-1, 2.5, Number.POSITIVE_INFINITY].map(toLimit), [0, 2, Number.MAX_SAFE_INTEGER]));
