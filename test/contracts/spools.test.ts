import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openFileSpool } from '../../src/metrics/adapters/spool/file-spool.ts';
import type { Spool } from '../../src/metrics/core/forward/spool.ts';

const url = new URL('../../src/metrics/adapters/spool/file-spool.js', import.meta.url).href;

const newFolder = () => mkdtempSync(join(tmpdir(), 'nightmark-spool-'));
const LARGE = 1024 ** 3;

test('files 1: records come in their order, over a restart, past a torn end', () => {
  const folder = newFolder();
  const first = openFileSpool(folder, LARGE);
  for (const text of ['a', '', 'c']) first.append(Buffer.from(text), 1);
  first.close();
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.spool'));
  appendFileSync(join(folder, file), Buffer.from([200, 0, 0, 0, 1, 2]));
  const second = openFileSpool(folder, LARGE);
  second.append(Buffer.from('d'), 5);
  assert.equal(second.facts().lines, 8);
  assert.deepEqual(drain(second), ['a', '', 'c', 'd']);
  assert.deepEqual([second.facts().lines, second.facts().torn], [0, 1]);
  second.append(Buffer.from('e'), 1);
  assert.deepEqual(drain(second), ['e']);
});

test('files 2: what was released does not come again, the rest does', () => {
  const folder = newFolder();
  const first = openFileSpool(folder, LARGE);
  for (let at = 0; at < 10; at++) first.append(Buffer.from(String(at)), 2);
  for (let at = 0; at < 4; at++) first.release(first.peek(1) ?? assert.fail());
  first.peek(1);
  first.close();
  const second = openFileSpool(folder, LARGE);
  assert.equal(second.facts().lines, 12);
  assert.deepEqual(drain(second), ['4', '5', '6', '7', '8', '9']);
  second.close();
  assert.deepEqual(drain(openFileSpool(folder, LARGE)), []);
});

test('files 3: the oldest make room and are counted, also after a restart', () => {
  const folder = newFolder();
  const spool = openFileSpool(folder, 300_000);
  const body = (at: number) => Buffer.alloc(10_000, at);
  for (let at = 0; at < 20; at++) spool.append(body(at), 3);
  const early = spool.peek(1) ?? assert.fail();
  for (let at = 20; at < 100; at++) spool.append(body(at), 3);
  spool.release(early); // is gone already: nothing else may be forgotten for it
  const { bytes, lines, droppedLines } = spool.facts();
  assert.ok(bytes <= 300_000 + 64 * 1024, `${bytes}`);
  assert.equal(lines + droppedLines, 300);
  assert.ok(lines >= 3 * 20, `${lines}`);
  spool.close();
  const again = openFileSpool(folder, 300_000);
  assert.deepEqual(again.facts(), { bytes, lines, droppedLines, torn: 0 });
  const numbers = drainBodies(again).map((each) => each[0] ?? -1);
  assert.deepEqual(
    numbers,
    Array.from({ length: lines / 3 }, (_, at) => 100 - lines / 3 + at),
  );
});

test('files 1, 2: kill -9 loses nothing that was appended', async () => {
  const folder = newFolder();
  let told = -1;
  for (let round = 0; round < 5; round++) {
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', WRITER, url, folder, String(told + 1)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const start = told;
    for await (const line of createInterface({ input: child.stdout })) {
      told = Number(line);
      if (told > start + 100 + 37 * round) child.kill('SIGKILL');
    }
    if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
  }
  const texts = drain(openFileSpool(folder, LARGE));
  for (let at = 0; at <= told; at++) assert.ok(texts.includes(String(at)), `${at} is lost`);
});

const WRITER = `
  const { openFileSpool } = await import(process.argv[1]);
  const spool = openFileSpool(process.argv[2], 1e9);
  for (let at = Number(process.argv[3]); ; at++) {
    spool.append(Buffer.from(String(at)), 1);
    console.log(at);
    await new Promise(setImmediate);
  }
`;

function drain(spool: Spool): readonly string[] {
  return drainBodies(spool).map((body) => Buffer.from(body).toString());
}

function drainBodies(spool: Spool): readonly Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let part = spool.peek(25_000); part; part = spool.peek(25_000)) {
    all.push(...part.bodies);
    spool.release(part);
  }
  return all;
}
