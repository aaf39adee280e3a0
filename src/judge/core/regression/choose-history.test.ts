import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, isVersion } from './choose-history.ts';

test('versions are ordered by their numbers, and a release follows its candidates', () => {
  const sorted = [
    '0.9',
    'v1.2',
    '1.2.1-rc1',
    '1.2.1-rc2',
    '1.2.1-rc10',
    '1.2.1',
    '1.2.1.post1',
    '1.9.0',
    '1.10.0',
    '2.0.0-1+2024-09-02',
  ];
  assert.deepEqual([...sorted].reverse().sort(compareVersions), sorted);
});

test('1.2 and 1.2.0 are neighbours, and any two names have one order', () => {
  assert.ok(compareVersions('1.1.9', '1.2') < 0 && compareVersions('1.1.9', '1.2.0') < 0);
  assert.ok(compareVersions('1.2', '1.2.1') < 0);
  assert.ok(compareVersions('1.2.0', '1.10') < 0);
  assert.equal(Math.sign(compareVersions('b', 'a')), 1);
});

test('what is no version is known', () => {
  assert.deepEqual(['1', '1.2.3', 'v2.0-rc1', '2.13.0-rc1+2024'].map(isVersion), [true, true, true, true]);
  assert.deepEqual(['main', 'quay.io/x:1.2', '2024-09-02', 'abc123', ''].map(isVersion), [
    false,
    false,
    true,
    false,
    false,
  ]);
});
