import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockHolder, fileLocks as locks } from './file-locks.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'nightmark-lock-')), 'own', 'lock');

async function acquired(file: string, holder = {}) {
  const outcome = await locks.acquire(file, holder);
  assert.equal(outcome.state, 'acquired');
  return outcome.state === 'acquired' ? outcome.release : assert.fail();
}

test('a look at the lock names the holder and takes nothing', async () => {
  const file = newFile();
  assert.equal(lockHolder(file), undefined);
  const release = await acquired(file, { runId: 'one' });
  assert.deepEqual(lockHolder(file), { runId: 'one' });
  release();
  assert.equal(lockHolder(file), undefined);
  assert.equal(existsSync(`${file}.json`), false);
});

test('the holder keeps the lock although its process opened and closed the lock file', async () => {
  const file = newFile();
  const release = await acquired(file, { runId: 'one' });
  closeSync(openSync(file, 'r'));
  assert.deepEqual(await locks.acquire(file, {}), { state: 'held', holder: { runId: 'one' } });
  release();
  (await acquired(file))();
});

test('releasing twice does not take the lock from the next holder', async () => {
  const file = newFile();
  const release = await acquired(file);
  release();
  const next = await acquired(file, { runId: 'two' });
  release();
  assert.deepEqual(lockHolder(file), { runId: 'two' });
  next();
});

test('garbled, foreign and outlived facts do not hold the lock', async () => {
  const file = newFile();
  (await acquired(file))();
  const ended = { host: 'h', boot: 'b', pid: 1, startedAt: '0' };
  for (const text of [
    '',
    'no json',
    'null',
    '[]',
    '{"holder":null}',
    JSON.stringify({ holder: {}, process: ended }),
  ]) {
    writeFileSync(`${file}.json`, text);
    assert.equal(lockHolder(file), undefined, text);
    (await acquired(file))();
  }
});

test('a process number that was given away again does not count as the holder', async () => {
  const file = newFile();
  const release = await acquired(file);
  const facts = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as { process: { startedAt: string } };
  release();
  if (facts.process.startedAt === '') return; // no /proc: only the number is known
  writeFileSync(`${file}.json`, JSON.stringify({ ...facts, process: { ...facts.process, startedAt: '1' } }));
  (await acquired(file))();
});

test('a file that is no lock is an error that says what to do', async () => {
  const file = newFile();
  (await acquired(file))();
  writeFileSync(file, 'something else '.repeat(100));
  await assert.rejects(locks.acquire(file, {}), {
    code: 'LOCK_FAILED',
    message: /is damaged/,
    hint: /may be deleted/,
  });
});

test('a folder that cannot be made is an error that names the lock', async () => {
  const file = newFile();
  (await acquired(file))();
  await assert.rejects(locks.acquire(join(file, 'below-a-file', 'lock'), {}), { code: 'LOCK_FAILED' });
});
