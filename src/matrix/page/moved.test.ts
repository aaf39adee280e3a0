import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved } from './moved.ts';

test('one goes to another place, the others keep their order', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c']);
  assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b']);
});
