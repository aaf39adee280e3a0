import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asctime, nightLabel, parseNightLabel, parsePythonTimedelta, pythonTimedelta } from './times.ts';

const night = { year: 2026, month: 1, day: 5, weekday: 1, hour: 3, minute: 7, second: 0 };

test('times are written as C and the dashboard write them', () => {
  assert.equal(asctime(night), 'Mon Jan  5 03:07:00 2026');
  assert.equal(nightLabel(night), '01-05-2026-0307');
});

test('a label is read back, also that of a second night in one minute', () => {
  const { weekday: _, second: __, ...read } = night;
  assert.deepEqual(parseNightLabel('01-05-2026-0307'), read);
  assert.deepEqual(parseNightLabel('01-05-2026-0307-2'), read);
  for (const bad of [
    '',
    '2026-01-05',
    '13-05-2026-0307',
    '01-32-2026-0307',
    '01-05-2026-2460',
    'x01-05-2026-0307',
  ]) {
    assert.equal(parseNightLabel(bad), undefined, bad);
  }
});

test('a duration is written as Python writes a timedelta', () => {
  assert.equal(pythonTimedelta(0), '0:00:00');
  assert.equal(pythonTimedelta(2_611_025), '0:00:02.611025');
  assert.equal(pythonTimedelta(1_000_001), '0:00:01.000001');
  assert.equal(pythonTimedelta((26 * 3600 + 3 * 60 + 4) * 1e6), '1 day, 2:03:04');
  assert.equal(pythonTimedelta(3 * 86_400 * 1e6 + 500_000), '3 days, 0:00:00.500000');
});

test('reads what Python writes', () => {
  assert.equal(parsePythonTimedelta('0:00:02.611025'), 2611.025);
  assert.equal(parsePythonTimedelta('0:00:00'), 0);
  assert.equal(parsePythonTimedelta('1 day, 2:03:04'), 93_784_000);
  assert.equal(parsePythonTimedelta('12 days, 0:00:00.5'), 12 * 86_400_000 + 500);
  for (const micros of [1, 999_999, 3_600_000_001, 90_061_000_000]) {
    assert.equal(parsePythonTimedelta(pythonTimedelta(micros)), micros / 1000);
  }
});

test('anything else is not read', () => {
  for (const text of ['', '5', '0:0:1', '-1 day, 23:59:59', '1:00:00 h', ' 0:00:01', '0:00:01.1234567']) {
    assert.equal(parsePythonTimedelta(text), undefined, text);
  }
});
