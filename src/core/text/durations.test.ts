import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortDuration } from './durations.ts';

test('a duration has at most two units', () => {
  const cases: [number, string][] = [
    [0, '0 ms'],
    [850.4, '850 ms'],
    [3_210, '3.2 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [303_000, '5 min 3 s'],
    [3_600_000, '1 h 0 min'],
    [72 * 60_000, '1 h 12 min'],
    [26 * 3_600_000, '1 d 2 h'],
  ];
  for (const [ms, text] of cases) assert.equal(shortDuration(ms), text);
});
