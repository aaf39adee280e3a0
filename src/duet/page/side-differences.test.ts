import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sideDifferences } from './side-differences.ts';

test('only what differs is told apart, the rest is counted', () => {
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
