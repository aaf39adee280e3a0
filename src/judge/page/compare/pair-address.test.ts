import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairPlace, readPair } from './pair-address.ts';

test('a pair is read from the address as it was written there', () => {
  for (const pair of [
    { base: 'latest~1', head: 'latest' },
    { base: 'machine:bench 1/a', head: 'repo@6de6d63' },
    { base: 'machine:a..b', head: 'c' },
    { base: '100 %', head: '<b>' },
    { head: 'latest' },
    { base: 'latest~3' },
    {},
  ])
    assert.deepEqual(readPair(pairPlace(pair)), pair);
  assert.equal(
    pairPlace({ base: 'machine:a..b', head: 'repo@6de6d63' }),
    '/compare/machine:a%2E%2Eb..repo@6de6d63',
  );
});

test('one side alone is the base, and a broken escape stays as it is', () => {
  assert.deepEqual(readPair('/compare/20260101-0200'), { base: '20260101-0200' });
  assert.deepEqual(readPair('/compare/50%..x'), { base: '50%', head: 'x' });
});
