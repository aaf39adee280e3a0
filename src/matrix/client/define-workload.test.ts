import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineWorkload, type WorkloadModule } from './define-workload.ts';

test('a module without a name or without parse is refused with what it lacks', () => {
  const unusable = (module: object) => () => defineWorkload(module as WorkloadModule);
  assert.throws(unusable({ fields: 3 }), { code: 'WORKLOAD_UNUSABLE', message: /without a "name"/ });
  assert.throws(unusable({ name: 'mine', parse: 3 }), {
    code: 'WORKLOAD_UNUSABLE',
    message: /without a function "parse" \(workload mine\)/,
  });
  assert.equal(defineWorkload({ name: 'mine', parse: () => ({}) }).name, 'mine');
});
