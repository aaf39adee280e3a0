import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitOfPath } from './unit-of-path.ts';

test('a name of the path tells the unit of what is below it, the innermost first', () => {
  assert.equal(unitOfPath(['seconds', 'gzip_1']), 's');
  assert.equal(unitOfPath(['detailed', 'seconds', 'gzip_1', 'median']), 's');
  assert.equal(unitOfPath(['bytes', 'site']), 'bytes');
  assert.equal(unitOfPath(['sort', 'wall_ms']), 'ms');
  assert.equal(unitOfPath(['sort', 'Wall time (ns)']), 'ns');
  assert.equal(unitOfPath(['seconds', 'peak_mib']), 'MiB');
});

test('counts, rates, single letters and other words tell none', () => {
  assert.equal(unitOfPath(['detailed', 'seconds', 'gzip_1', 'n']), '');
  assert.equal(unitOfPath(['bytes_per_seconds']), '');
  assert.equal(unitOfPath(['cpu', 's']), '');
  assert.equal(unitOfPath(['cpu', 'A']), '');
  assert.equal(unitOfPath(['bonus']), '');
  assert.equal(unitOfPath([]), '');
});
