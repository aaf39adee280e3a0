import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSelection, splitPair } from './side-selection.ts';

test('a side is said in the words of people', () => {
  assert.deepEqual(parseSelection('latest'), { kind: 'latest', back: 0 });
  assert.deepEqual(parseSelection('latest~12'), { kind: 'latest', back: 12 });
  assert.deepEqual(parseSelection('machine:bench 1'), { kind: 'machine', name: 'bench 1' });
  assert.deepEqual(parseSelection('branch:feature/x'), { kind: 'branch', name: 'feature/x' });
  assert.deepEqual(parseSelection('commit:6DE6d63'), { kind: 'commit', hash: '6de6d63' });
  assert.deepEqual(parseSelection('a@b@6de6d63'), { kind: 'commit', hash: '6de6d63', source: 'a@b' });
  assert.deepEqual(parseSelection('01-31-2026-0200'), { kind: 'name', text: '01-31-2026-0200' });
  assert.deepEqual(parseSelection('run:latest'), { kind: 'name', text: 'latest' });
});

test('days are whole days of UTC, the last one included', () => {
  const day = Date.UTC(2026, 0, 31);
  assert.deepEqual(parseSelection('2026-01-31'), { kind: 'span', from: day, to: day + 86_400_000 });
  assert.deepEqual(parseSelection('2026-01-30/2026-01-31'), {
    kind: 'span',
    from: day - 86_400_000,
    to: day + 86_400_000,
  });
  assert.deepEqual(parseSelection('until:2026-01-31'), { kind: 'span', from: 0, to: day + 86_400_000 });
});

test('what names nothing is refused with the ways to say it', () => {
  for (const text of [
    '',
    ' ',
    'machine:',
    'commit:xyz',
    'repo@',
    '2026-13-41',
    'since:yesterday',
    'x'.repeat(301),
  ])
    assert.throws(() => parseSelection(text), { code: 'COMPARE_UNCLEAR', hint: /latest~3/ }, text);
});

test('a pair may leave out a side', () => {
  assert.deepEqual(splitPair('a..b'), { base: 'a', head: 'b' });
  assert.deepEqual(splitPair('a..'), { base: 'a' });
  assert.deepEqual(splitPair('..b'), { head: 'b' });
  assert.equal(splitPair('a'), undefined);
});
