import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest, nearestFirst } from './nearest.ts';

test('the word that was meant comes first', () => {
  assert.deepEqual(nearestFirst('hyprfine', ['csv', 'json', 'hyperfine']), ['hyperfine', 'json', 'csv']);
  assert.equal(nearestFirst('JSON', ['csv', 'ndjson', 'json'])[0], 'json');
  assert.deepEqual(nearestFirst('', ['b', 'a']), ['b', 'a']);
  assert.deepEqual(nearestFirst('x', []), []);
});

test('a hostile word costs no more than a long one', () => {
  assert.equal(nearestFirst('x'.repeat(1e6), ['y'.repeat(1e6), 'xxxxx'])[0], 'xxxxx');
});

const KNOWN = ['timeout', 'title', 'retries', 'run', 'after', 'skip-when-unchanged'];

for (const [word, expected] of [
  ['timeuot', 'timeout'],
  ['time_out', 'timeout'],
  ['Titel', 'title'],
  ['retris', 'retries'],
  ['rnu', 'run'],
  ['skip_when_unchanged', 'skip-when-unchanged'],
  ['completely', undefined],
  ['x', undefined],
  ['', undefined],
  ['y'.repeat(1_000_000), undefined],
] as const) {
  test(`${JSON.stringify(word.slice(0, 20))} is nearest to ${expected ?? 'nothing'}`, () => {
    assert.equal(nearest(word, KNOWN), expected);
  });
}
