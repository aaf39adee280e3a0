import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestFirst } from './nearest.ts';

test('the word that was meant comes first', () => {
  assert.deepEqual(nearestFirst('hyprfine', ['csv', 'json', 'hyperfine']), ['hyperfine', 'json', 'csv']);
  assert.equal(nearestFirst('JSON', ['csv', 'ndjson', 'json'])[0], 'json');
  assert.deepEqual(nearestFirst('', ['b', 'a']), ['b', 'a']);
  assert.deepEqual(nearestFirst('x', []), []);
});

test('a hostile word costs no more than a long one', () => {
  assert.equal(nearestFirst('x'.repeat(1e6), ['y'.repeat(1e6), 'xxxxx'])[0], 'xxxxx');
});
