import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeUtf8, wholeNumber } from './bytes.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('UTF-8 is decoded as elsewhere, a percent sign included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const bytes = bytesOf(`<${text}%>`);
      assert.equal(decodeUtf8(bytes, 1, bytes.length - 1), `${text}%`);
    }),
  );
  assert.equal(decodeUtf8(Uint8Array.of(0x61, 0xff), 0, 2), 'a\u00ff');
});

test('whole numbers are read, also with the zeros of pandas; others are none', () => {
  const read = (text: string) => wholeNumber(bytesOf(text), 0, text.length);
  assert.deepEqual(
    ['0', '42', '250000000.0', '7.', '999999999999999'].map(read),
    [0, 42, 250000000, 7, 999999999999999],
  );
  for (const text of ['', '-1', '1.5', '.0', '1e3', 'x', '1 ', '1000000000000000'])
    assert.ok(Number.isNaN(read(text)), text);
});
