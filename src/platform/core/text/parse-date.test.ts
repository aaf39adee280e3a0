import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDateText, parseIsoTime } from './parse-date.ts';

test('a moment without a zone is UTC, one with a zone is of that zone', () => {
  assert.equal(parseIsoTime('2026-01-05'), Date.UTC(2026, 0, 5));
  assert.equal(parseIsoTime('2026-01-05 03:07'), Date.UTC(2026, 0, 5, 3, 7));
  assert.equal(parseIsoTime('2026-01-05T03:07:00.123456'), Date.UTC(2026, 0, 5, 3, 7, 0, 123));
  assert.equal(parseIsoTime('2026-01-05T03:07:00Z'), Date.UTC(2026, 0, 5, 3, 7));
  assert.equal(parseIsoTime('2026-01-05T03:07:00+0130'), Date.UTC(2026, 0, 5, 1, 37));
  assert.equal(parseIsoTime('2026-01-05T03:07:00-01:00'), Date.UTC(2026, 0, 5, 4, 7));
});

test('what is no moment is reported, never guessed', () => {
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

const AT = Date.UTC(2022, 5, 26, 16, 57, 57);

test('what date prints is one moment in all its forms', () => {
  for (const text of [
    'Sun Jun 26 16:57:57 UTC 2022\n',
    'Sun 26 Jun 2022 04:57:57 PM UTC',
    'Sun Jun 26 06:57:57 PM CEST 2022',
    'Sun 26 Jun 18:57:57 CEST 2022',
    'Sun Jun 26 12:57:57 EDT 2022',
    'Sun, 26 Jun 2022 18:57:57 +0200',
    '2022-06-26T16:57:57Z',
    '2022-06-26 18:57:57+02:00',
    '2022-06-26T11:27:57-05:30',
    '2022-06-26 16:57:57',
    '1656262677',
  ]) {
    assert.equal(parseDateText(text), AT, text);
  }
});

test('fractions are kept to the millisecond, midnight and noon are distinguished', () => {
  assert.equal(parseDateText('2022-06-26T16:57:57.123456789Z'), AT + 123);
  assert.equal(parseDateText('Sun Jun 26 12:00:00 AM UTC 2022'), Date.UTC(2022, 5, 26));
  assert.equal(parseDateText('Sun Jun 26 12:00:00 PM UTC 2022'), Date.UTC(2022, 5, 26, 12));
});

test('what is no date is none', () => {
  for (const text of ['', 'date: command not found', '16:57:57', 'Sun Jun 26', '12', 'Jun 2022 16:57']) {
    assert.equal(parseDateText(text), undefined, text);
  }
});
