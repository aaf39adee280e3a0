import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTruthy, readStatus, statusFields } from './status.ts';

const read = (text: string) => readStatus({ state: 'text', text }, '/raw/x');

test('no file, a missing field and unparsable text are failures that say so', () => {
  assert.equal(readStatus({ state: 'missing' }, '/raw/x').message, 'No status.json in /raw/x');
  assert.equal(read('{"success": true}').message, "status.json in /raw/x has no 'message' field");
  assert.equal(read('{"message": ""}').message, "status.json in /raw/x has no 'success' field");
  assert.equal(read('not json').message, 'Failed to parse status.json in /raw/x');
  assert.equal(read('[true]').message, 'status.json in /raw/x is not a JSON object');
  assert.equal(readStatus({ state: 'unusable', reason: 'too large' }, '/raw/x').success, false);
});

test('further fields are kept in order', () => {
  const status = read('{"success": true, "message": "fine", "extra": [1]}');
  assert.deepEqual(statusFields(status), { success: true, message: 'fine', extra: [1] });
});

test('success is judged as Python judges truth', () => {
  assert.deepEqual(['', 0, null, [], {}, false].map(isTruthy), Array(6).fill(false));
  assert.deepEqual(['false', 1, [0], { a: 0 }, true].map(isTruthy), Array(5).fill(true));
});
