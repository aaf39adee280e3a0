import assert from 'node:assert/strict';
import { test } from 'node:test';
import cronTimetable from './cron.ts';
import { fixedTimes } from './fixed-times.ts';

const next = (cron: string, zone: string, after: string, count: number) =>
  cronTimetable.next(cron, zone, Date.parse(after), count).map((at) => new Date(at).toISOString());

test('two times a day stay two moments in the nights of daylight saving', () => {
  assert.deepEqual(next('30 2,14 * * *', 'Europe/Berlin', '2026-03-28T22:00:00Z', 3), [
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T12:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  assert.deepEqual(next('30 2,14 * * *', 'Europe/Berlin', '2026-10-24T22:00:00Z', 3), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T13:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
});

test('two times in the missing hour happen once', () => {
  assert.deepEqual(next('0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2), [
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:00:00.000Z',
  ]);
});

test('takes lists and ranges apart and leaves intervals alone', () => {
  assert.deepEqual(fixedTimes('5,10 1-2 * * 1'), ['5 1 * * 1', '10 1 * * 1', '5 2 * * 1', '10 2 * * 1']);
  for (const cron of ['*/5 2 * * *', '0 * * * *', '0-59 0-23 * * *', '61 2 * * *', '3-1 2 * * *', '@daily']) {
    assert.deepEqual(fixedTimes(cron), [cron]);
  }
});

test('understands nicknames and names of days', () => {
  assert.deepEqual(next('@daily', 'UTC', '2026-11-15T12:00:00Z', 1), ['2026-11-16T00:00:00.000Z']);
  assert.deepEqual(next('0 2 * * MON-FRI', 'UTC', '2026-11-13T12:00:00Z', 1), ['2026-11-16T02:00:00.000Z']);
});

test('follows elapsed time for an hourly schedule', () => {
  assert.deepEqual(next('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3), [
    '2026-10-25T00:00:00.000Z',
    '2026-10-25T01:00:00.000Z',
    '2026-10-25T02:00:00.000Z',
  ]);
});
