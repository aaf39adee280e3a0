import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMissing, isSilent } from './missing.ts';

const DAY = 86_400_000;
const nights = (count: number, failed: readonly number[] = []) =>
  Array.from({ length: count }, (_, night) => ({ at: night * DAY, succeeded: !failed.includes(night) }));
const days = (...list: readonly number[]) => list.map((day) => day * DAY);

test('a series that stays away from three runs that succeeded is missing', () => {
  const seen = days(0, 1, 2, 3, 4);
  assert.equal(findMissing({ runs: nights(7), seen, now: 6.5 * DAY }), undefined);
  assert.deepEqual(findMissing({ runs: nights(8), seen, now: 7.5 * DAY }), {
    kind: 'series',
    lastSeen: 4 * DAY,
    missed: 3,
    cadenceMs: DAY,
  });
});

test('runs that failed do not count: the series could not come', () => {
  assert.equal(findMissing({ runs: nights(8, [6]), seen: days(0, 1, 2, 3, 4), now: 7.5 * DAY }), undefined);
});

test('is reported once, and again only after it came back', () => {
  const seen = days(0, 1, 2, 3, 4);
  const attendance = { runs: nights(9), seen, now: 8.5 * DAY };
  assert.equal(findMissing({ ...attendance, reportedAfter: 4 * DAY }), undefined);
  const later = { runs: nights(14), seen: [...seen, ...days(9)], now: 13 * DAY, reportedAfter: 4 * DAY };
  assert.equal(findMissing({ ...later, seen: [...seen, ...days(9)] })?.lastSeen, undefined);
  const long = { ...later, runs: nights(20), now: 19 * DAY };
  assert.equal(findMissing(long)?.lastSeen, 9 * DAY);
});

test('a weekly series of a nightly experiment is not missed after three nights', () => {
  const weekly = { seen: days(0, 7, 14, 21), runs: nights(28), now: 27 * DAY };
  assert.equal(findMissing(weekly), undefined);
  assert.equal(findMissing({ ...weekly, runs: nights(30), now: 29 * DAY })?.missed, 8);
});

test('no run at all for three cadences: the experiment is missing', () => {
  const attendance = { runs: nights(5), seen: days(0, 1, 2, 3, 4) };
  assert.equal(findMissing({ ...attendance, now: 6.9 * DAY }), undefined);
  const found = findMissing({ ...attendance, now: 7.1 * DAY });
  assert.deepEqual([found?.kind, found?.missed], ['experiment', 3]);
});

test('what was there once, or never, is not missed', () => {
  assert.equal(findMissing({ runs: nights(30), seen: days(0), now: 40 * DAY }), undefined);
  assert.equal(findMissing({ runs: [], seen: [], now: 40 * DAY }), undefined);
});

const everyDays = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, day) => first + day);

test('it is silent after three times its pace, if the home went on meanwhile', () => {
  assert.equal(isSilent({ times: everyDays(0, 5), others: everyDays(0, 7) }), false);
  assert.equal(isSilent({ times: everyDays(0, 5), others: everyDays(0, 8) }), true);
  assert.equal(isSilent({ times: [0, 7, 14], others: everyDays(0, 34) }), false);
  assert.equal(isSilent({ times: [0, 7, 14], others: everyDays(0, 36) }), true);
  assert.equal(isSilent({ times: everyDays(0, 5), others: [100] }), false);
});

test('its longest pause is doubled first, and what came once is not waited for', () => {
  assert.equal(isSilent({ times: [0, 1, 2, 12, 13], others: everyDays(0, 32) }), false);
  assert.equal(isSilent({ times: [0, 1, 2, 12, 13], others: everyDays(0, 34) }), true);
  assert.equal(isSilent({ times: [3, 3], others: everyDays(0, 100) }), false);
});

test('what stopped long before all that is looked at is forgotten', () => {
  assert.equal(isSilent({ times: everyDays(0, 5), others: everyDays(400, 440) }), false);
  assert.equal(isSilent({ times: everyDays(0, 5), others: everyDays(400, 420) }), true);
});
