import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFields, wholePayload } from './whole-payload.ts';

test('a payload of any length comes back equal, and no character is cut in two', () => {
  const payload = { text: `x${'\u{1f600}'.repeat(20_000)}`, lines: 'a\n"b"\\', none: null, number: 4 };
  const fields = wholeFields(payload);
  assert.ok(fields.length > 2);
  for (const [, text] of fields) assert.equal(Buffer.from(text).toString(), text);
  assert.deepEqual(wholePayload({ parts: fields.length, ...Object.fromEntries(fields) }), payload);
});

test('a part that is missing is told', () => {
  const fields = Object.fromEntries(wholeFields({ text: 'x'.repeat(40_000) }));
  assert.throws(() => wholePayload({ ...fields, parts: 4 }), /part 4 of 4 is missing/);
  assert.throws(() => wholePayload(fields), /how many parts/);
});
