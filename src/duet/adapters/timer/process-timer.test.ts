import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readCores } from './process-timer.ts';

function inMachine(files: Record<string, string>): readonly (readonly number[])[] {
  const root = mkdtempSync(join(tmpdir(), 'nightmark-cores-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return readCores(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const siblings = (core: number) => `sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`;

test('threads of one physical core stand together, and only cores that may be used are there', () => {
  const cores = inMachine({
    'proc/self/status': 'Name:\tnode\nCpus_allowed_list:\t0-1,4-6\n',
    [siblings(0)]: '0,4\n',
    [siblings(1)]: '1,5\n',
    [siblings(4)]: '0,4\n',
    [siblings(5)]: '1,5\n',
    [siblings(6)]: '2,6\n',
  });
  assert.deepEqual(cores, [[0, 4], [1, 5], [6]]);
});

test('without a topology each core stands alone', () => {
  assert.deepEqual(inMachine({ 'proc/self/status': 'Cpus_allowed_list:\t2-3\n' }), [[2], [3]]);
});

test('a machine without /proc has as many cores as Node counts', () => {
  assert.ok(inMachine({}).length >= 1);
});
