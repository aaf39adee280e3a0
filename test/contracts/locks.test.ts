import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileLocks as locks } from '../../src/platform/adapters/file-locks.ts';

const url = new URL('../../src/platform/adapters/file-locks.js', import.meta.url).href;

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

const newFile = () => join(mkdtempSync(join(tmpdir(), 'nightmark-locks-')), 'lock');

test('sqlite 1: one process holds the lock, the other learns who', async () => {
  const file = newFile();
  const { child, line } = await startHolder(url, file);
  assert.equal(line, 'acquired');
  assert.deepEqual(await locks.acquire(file, {}), { state: 'held', holder: holderOf(child) });
});

test('sqlite 1: a second acquire in the same process is refused', async () => {
  const file = newFile();
  const first = await locks.acquire(file, { runId: 'one' });
  assert.deepEqual(await locks.acquire(file, { runId: 'two' }), {
    state: 'held',
    holder: { runId: 'one' },
  });
  assert.ok(first.state === 'acquired');
  first.release();
  const second = await locks.acquire(file, { runId: 'two' });
  assert.ok(second.state === 'acquired');
  second.release();
});

test('sqlite 1: of several that start at once exactly one gets it', async () => {
  const file = newFile();
  const started = await Promise.all([1, 2, 3, 4].map(() => startHolder(url, file)));
  const lines = started.map(({ line }) => line.split(' ')[0]).sort();
  assert.deepEqual(lines, ['acquired', 'held', 'held', 'held']);
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`sqlite 2: the lock of a process ended by ${signal} is free`, async () => {
    const file = newFile();
    const { child } = await startHolder(url, file);
    child.kill(signal);
    await once(child, 'exit');
    const next = await locks.acquire(file, { runId: 'next' });
    assert.equal(next.state, 'acquired');
    assert.deepEqual(await locks.acquire(file, {}), { state: 'held', holder: { runId: 'next' } });
    if (next.state === 'acquired') next.release();
  });
}

const HOLDER = `
  const { fileLocks: locks } = await import(process.argv[1]);
  const outcome = await locks.acquire(process.argv[2], { pid: process.pid, name: 'a "holder"' });
  console.log(outcome.state + (outcome.holder ? ' ' + JSON.stringify(outcome.holder) : ''));
  setInterval(() => {}, 1000);
`;

async function startHolder(url: string, file: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, url, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: chunk.toString().trim() };
}

function holderOf(child: ChildProcess) {
  return { pid: child.pid ?? 0, name: 'a "holder"' };
}
