import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalNs } from '../../../formats/core/iteration-reading.ts';
import { readTimestamp } from './table-reader.ts';

/** The timestamp as one number; undefined when it is none. */
function read(text: string): bigint | undefined {
  const timestamp = { seconds: 0, nanos: 0 };
  const isRead = readTimestamp(new TextEncoder().encode(text), 0, text.length, timestamp);
  return isRead ? BigInt(timestamp.seconds) * 1_000_000_000n + BigInt(timestamp.nanos) : undefined;
}

test('digits are exact, doubles are what the double is', () => {
  assert.equal(read('1794769623745000001'), 1794769623745000001n);
  assert.equal(read('1'), 1n);
  assert.equal(read('1000000000'), 1_000_000_000n);
  assert.equal(read('1794769623745000001.0'), 1794769623745000001n);
  assert.equal(read('1.7947697009466598e+18'), BigInt(1.7947697009466598e18));
  assert.equal(read('1e+18'), 10n ** 18n);
  assert.equal(read('-5'), -5n);
  for (const text of ['', 'soon', '1794769623745x', '1.5.2', 'nan'])
    assert.equal(read(text), undefined, text);
});

test('every timestamp is read exactly, from its digits or as a double', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 4n * 10n ** 18n }), (ns) => {
      assert.equal(read(String(ns)), ns);
      const text = Number(ns).toExponential();
      assert.equal(read(text), BigInt(Math.round(Number(ns))), text);
    }),
  );
});

test('decimals become nanoseconds without loss', () => {
  assert.equal(decimalNs('1654092292.28303', 9), 1654092292283030000n);
  assert.equal(decimalNs(' 1656262677123.4567894 ', 6), 1656262677123456789n);
  assert.equal(decimalNs('0.0000000005', 9), 1n);
  assert.equal(decimalNs('-1.5', 9), -1500000000n);
  assert.equal(decimalNs('2.5e8', 0), 250000000n);
  assert.equal(decimalNs('1.5e-3', 6), 1500n);
  for (const text of ['', '.', 'x', '1,5', '0x10']) assert.equal(decimalNs(text, 9), undefined, text);
});
