import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowStart, windowsOf } from '../time-windows.ts';
import { floorDivide, toNs, toTimestamp, unitNs } from './time.ts';
import { timeText } from './time-zone.ts';

const MOMENTS = [
  { ms: 1_700_000_000_123, ns: 456_789 },
  { ms: 1_700_000_000_123, ns: 7 },
  { ms: 1_700_000_000_000, ns: 0 },
  { ms: 0, ns: 5 },
  { ms: 0, ns: 0 },
  { ms: -1, ns: 999_999 },
  { ms: -1_700_000_000_123, ns: 1 },
  { ms: 9_223_372_036_854, ns: 775_806 },
];

for (const epoch of ['n', 'ns', 'u', 'µ', 'ms', 's', 'm', 'h', 'd', 'w']) {
  test(`times in "${epoch}" are what large integers give`, () => {
    const text = timeText(epoch);
    for (const { ms, ns } of MOMENTS)
      assert.equal(text(ms, ns), String(floorDivide(toNs({ ms, ns }), unitNs(epoch) ?? 1n)));
  });
}

test('a unit that is not known means nanoseconds, none RFC 3339', () => {
  assert.equal(timeText('fortnight')(1, 20), '1000020');
  assert.equal(timeText('')(1500, 20), '"1970-01-01T00:00:01.50000002Z"');
});

test('windows of whole milliseconds begin where large integers say', () => {
  for (const [length, offset] of [
    [1_000_000n, 0n],
    [7_000_000n, 3_000_000n],
    [3_600_000_000_000n, -1_800_000_000_000n],
    [604_800_000_000_000n, 0n],
    [1_500_001n, 17n],
  ] as const) {
    const clock = windowsOf({ length, offset });
    for (const timestamp of MOMENTS) {
      const start = windowStart({ length, offset }, toNs(timestamp));
      assert.deepEqual(clock.start(timestamp), toTimestamp(start));
      assert.deepEqual(clock.next(toTimestamp(start)), toTimestamp(start + length));
      assert.deepEqual(clock.previous(toTimestamp(start)), toTimestamp(start - length));
    }
  }
});
