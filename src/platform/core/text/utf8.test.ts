import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brokenEnd, brokenStart, decodeUtf8 } from './utf8.ts';

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

test('wherever a text is cut, both parts give the characters of the whole', () => {
  const whole = bytesOf('aé€😀z');
  for (let cut = 0; cut <= whole.length; cut++) {
    const first = whole.subarray(0, cut);
    const end = cut - brokenEnd(first);
    const read = [whole.subarray(0, end), whole.subarray(end)].map((part) => Buffer.from(part).toString());
    assert.equal(read.join(''), 'aé€😀z', `cut at ${cut}`);
  }
});

test('a part that begins inside of a character begins with the next one', () => {
  assert.equal(brokenStart(bytesOf('€x').subarray(1)), 2);
  assert.equal(brokenStart(bytesOf('😀x').subarray(1)), 3);
  assert.equal(brokenStart(bytesOf('x')), 0);
  assert.equal(brokenStart(new Uint8Array()), 0);
});

test('bytes that are no UTF-8 are not waited for', () => {
  assert.equal(brokenEnd(new Uint8Array([0x61, 0xff])), 0);
  assert.equal(brokenEnd(new Uint8Array([0xc0])), 0);
  assert.equal(brokenEnd(new Uint8Array([0x80, 0x80, 0x80])), 0);
  assert.equal(brokenStart(new Uint8Array([0x80, 0x80, 0x80, 0x80])), 0);
});
