import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNames } from './telemetry-file-names.ts';

test('keeps the names that chips really have', () => {
  assert.deepEqual(fileNames(['k10temp-pci-00c3', 'clocks.gr', 'gpu1.memory.used']), [
    'k10temp-pci-00c3',
    'clocks.gr',
    'gpu1.memory.used',
  ]);
});

test('makes every name one that stays in its folder and can be written', () => {
  const names = fileNames(['..', '.', '', '../../etc/passwd', '/', 'a\nb\0c', '.hidden']);
  assert.deepEqual(names, ['_.', '_', '_-2', '_._.._etc_passwd', '_-3', 'a_b_c', '_hidden']);
});

test('gives different names to groups that differ only in what was replaced or in case', () => {
  assert.deepEqual(fileNames(['a/b', 'a_b', 'A_B']), ['a_b', 'a_b-2', 'A_B-3']);
});

test('shortens names without end, counted in bytes', () => {
  const [ascii = '', wide = ''] = fileNames(['x'.repeat(10_000), '温'.repeat(10_000)]);
  assert.equal(ascii.length, 120);
  assert.equal(new TextEncoder().encode(wide).length, 90);
});
