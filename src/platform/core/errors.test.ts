import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NightmarkError } from './errors.ts';

class Narrower extends NightmarkError {}

test('an error of another copy of the package is one of ours', () => {
  const foreign = Object.assign(new Error('no unit'), { name: 'NightmarkError', code: 'WORKLOAD_UNIT' });
  assert.ok(foreign instanceof NightmarkError);
  assert.ok(!(new Error('ENOENT') instanceof NightmarkError));
  assert.ok(!({ name: 'NightmarkError', code: 'X' } instanceof NightmarkError));
});

test('a class that extends it knows its own only', () => {
  assert.ok(new Narrower('A_B', 'text') instanceof NightmarkError);
  assert.ok(new Narrower('A_B', 'text') instanceof Narrower);
  assert.ok(!(new NightmarkError('A_B', 'text') instanceof Narrower));
});
