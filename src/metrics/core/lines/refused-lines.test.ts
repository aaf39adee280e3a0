import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedCount } from './refused-lines.ts';

test('all lines are refused unless the write was partial', () => {
  assert.equal(refusedCount("unable to parse 'x': missing fields", 7), 7);
  assert.equal(refusedCount('', 7), 7);
});

test('of a partial write those count that were dropped or not parsed', () => {
  const conflict =
    'partial write: field type conflict: input field "v" on measurement "m" is type float dropped=2';
  assert.equal(refusedCount(conflict, 7), 2);
  const two =
    "partial write: unable to parse 'x': missing fields\nunable to parse 'y': missing fields dropped=0";
  assert.equal(refusedCount(two, 7), 2);
  assert.equal(refusedCount('partial write: out of disk', 7), 1);
  assert.equal(refusedCount('partial write: of another dropped=99', 7), 7);
});
