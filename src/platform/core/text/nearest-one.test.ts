import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

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
