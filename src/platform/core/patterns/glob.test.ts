import assert from 'node:assert/strict';
import { test } from 'node:test';
import { componentPattern, crossingPattern } from './glob.ts';

test('a star stays within a name, or crosses slashes in lists of important files', () => {
  assert.equal(componentPattern('*__run').test('000__run'), true);
  assert.equal(componentPattern('*__run').test('a/000__run'), false);
  assert.equal(crossingPattern('*__run/result.json').test('x/000__run/result.json'), true);
  assert.equal(crossingPattern('.uuid').test('xuuid'), false);
});

test('sets, their negation, and signs that mean something elsewhere', () => {
  assert.equal(componentPattern('run[0-3]').test('run2'), true);
  assert.equal(componentPattern('run[!0-3]').test('run2'), false);
  assert.equal(componentPattern('run[9-0]').test('run2'), false);
  assert.equal(componentPattern('a+(b).{c}$[').test('a+(b).{c}$['), true);
  assert.equal(componentPattern('?').test('ab'), false);
});

test('many stars do not take for ever', () => {
  assert.equal(componentPattern(`${'*'.repeat(60)}b`).test('a'.repeat(5000)), false);
});
