import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePythonTimedelta } from './timedelta.ts';
import { pythonTimedelta } from './times.ts';

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
