import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from './durations-and-sizes.ts';

for (const [text, ms] of [
  ['500ms', 500],
  ['30s', 30_000],
  ['15m', 900_000],
  ['15min', 900_000],
  ['2h', 7_200_000],
  ['1h30m', 5_400_000],
  ['1 h 30 m', 5_400_000],
  ['1.5d', 129_600_000],
  ['2w', 1_209_600_000],
  ['1y', 31_536_000_000],
] as const) {
  test(`${text} is ${ms} ms`, () => assert.equal(parseDuration(text), ms));
}

for (const text of [
  '',
  ' ',
  '5',
  'h',
  '-1h',
  '0s',
  '1x',
  '1h x',
  '1e3s',
  'Infinity s',
  `${'9'.repeat(400)}s`,
  '1h\0',
]) {
  test(`${JSON.stringify(text.slice(0, 12))} is no duration`, () =>
    assert.equal(parseDuration(text), undefined));
}

test('a long text of digits does not take long to refuse', () => {
  assert.equal(parseDuration(`${'1'.repeat(100_000)}!`), undefined);
  assert.equal(parseDuration(`${'1s'.repeat(50_000)}!`), undefined);
});
