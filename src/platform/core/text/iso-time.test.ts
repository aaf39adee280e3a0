import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseIsoTime } from './iso-time.ts';

test('a moment without a zone is UTC, one with a zone is of that zone', () => {
  assert.equal(parseIsoTime('2026-01-05'), Date.UTC(2026, 0, 5));
  assert.equal(parseIsoTime('2026-01-05 03:07'), Date.UTC(2026, 0, 5, 3, 7));
  assert.equal(parseIsoTime('2026-01-05T03:07:00.123456'), Date.UTC(2026, 0, 5, 3, 7, 0, 123));
  assert.equal(parseIsoTime('2026-01-05T03:07:00Z'), Date.UTC(2026, 0, 5, 3, 7));
  assert.equal(parseIsoTime('2026-01-05T03:07:00+0130'), Date.UTC(2026, 0, 5, 1, 37));
  assert.equal(parseIsoTime('2026-01-05T03:07:00-01:00'), Date.UTC(2026, 0, 5, 4, 7));
});

test('what is no moment is told, never guessed', () => {
  for (const text of [
    '',
    'noon',
    '2026',
    '2026-13-01',
    '2026-01-05T25:00',
    '01-05-2026',
    '2026-01-05T03:07 CET',
  ])
    assert.equal(parseIsoTime(text), undefined, text);
});
