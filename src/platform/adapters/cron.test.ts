import assert from 'node:assert/strict';
import { test } from 'node:test';
import cronTimetable, { fixedTimes } from './cron.ts';

const next = (cron: string, zone: string, after: string, count = 4) =>
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

test('what cannot be understood is refused and named', () => {
  const unclear = ['', ' ', 'tonight', '0 25 * * *', '61 2 * * *', '0 2 * *', '0 0 2 * * * *', '? 2 * * *'];
  for (const cron of [...unclear, '2026-12-01T00:00:00', '@reboot', '@nonsense', '-1 2 * * *', '0 2 0 * *']) {
    assert.throws(
      () => next(cron, 'UTC', '2026-11-15T00:00:00Z'),
      ({ code, message }) => code === 'SCHEDULE_INVALID' && message.includes(`"${cron}"`),
      `"${cron}"`,
    );
  }
  assert.throws(() => next('* '.repeat(100_000), 'UTC', '2026-11-15T00:00:00Z'), {
    code: 'SCHEDULE_INVALID',
  });
  for (const zone of ['Mars/Olympus', '', 'Europe/Berlin; rm -rf /']) {
    assert.throws(
      () => next('0 2 * * *', zone, '2026-11-15T00:00:00Z'),
      ({ code, message }) => code === 'SCHEDULE_INVALID' && message.includes(`"${zone}"`),
    );
  }
});

test('a night in the missing hour happens once', () => {
  assert.deepEqual(next('30 2 * * *', 'America/Los_Angeles', '2026-03-07T00:00:00Z'), [
    '2026-03-07T10:30:00.000Z',
    '2026-03-08T10:00:00.000Z',
    '2026-03-09T09:30:00.000Z',
    '2026-03-10T09:30:00.000Z',
  ]);
  assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z'), [
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
    '2026-03-31T00:30:00.000Z',
  ]);
});

test('a night in the doubled hour happens once', () => {
  assert.deepEqual(next('30 1 * * *', 'America/Los_Angeles', '2026-10-31T00:00:00Z'), [
    '2026-10-31T08:30:00.000Z',
    '2026-11-01T08:30:00.000Z',
    '2026-11-02T09:30:00.000Z',
    '2026-11-03T09:30:00.000Z',
  ]);
  assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00:00Z'), [
    '2026-10-24T00:30:00.000Z',
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
    '2026-10-27T01:30:00.000Z',
  ]);
});

test('asked again between the two doubled hours it does not repeat the night', () => {
  for (const after of ['2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z', '2026-10-25T01:10:00Z']) {
    assert.deepEqual(next('30 2 * * *', 'Europe/Berlin', after, 1), ['2026-10-26T01:30:00.000Z']);
  }
});

test('moments are strictly after the given one, to the millisecond', () => {
  assert.deepEqual(next('0 2 * * *', 'UTC', '2026-11-15T01:59:59.999Z', 1), ['2026-11-15T02:00:00.000Z']);
  assert.deepEqual(next('0 2 * * *', 'UTC', '2026-11-15T02:00:00.000Z', 1), ['2026-11-16T02:00:00.000Z']);
  assert.deepEqual(next('0 2 * * *', 'UTC', '2026-11-15T02:00:00.500Z', 1), ['2026-11-16T02:00:00.000Z']);
});

test('gives at most as many moments as wanted, and none of a day that never comes', () => {
  assert.deepEqual(next('0 2 * * *', 'UTC', '2026-11-15T00:00:00Z', 0), []);
  assert.equal(next('*/5 * * * *', 'UTC', '2026-11-15T00:00:00Z', 500).length, 500);
  assert.deepEqual(next('0 2 30 2 *', 'UTC', '2026-11-15T00:00:00Z', 3), []);
});

test('without a zone the zone of the process counts', () => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const after = Date.parse('2026-11-15T00:00:00Z');
  const withoutZone = cronTimetable.next('0 2 * * *', undefined, after, 3);
  assert.equal(withoutZone.length, 3);
  assert.deepEqual(withoutZone, cronTimetable.next('0 2 * * *', own, after, 3));
});
