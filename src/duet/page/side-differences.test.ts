import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sideDifferences } from './side-differences.ts';

test('settings that differ and settings that are the same are separated', () => {
  const A = { command: './old', results: ['out.csv'] };
  const B = { command: './new', results: ['out.csv'], image: 'debian:13' };
  assert.deepEqual(sideDifferences({ sides: { A, B } }), {
    different: [
      ['command', './old', './new'],
      ['image', 'a process of the machine', 'debian:13'],
    ],
    same: [['results', 'out.csv']],
  });
});
