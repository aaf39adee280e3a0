import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible } from './visible.ts';

test('control characters and marks of direction become visible, the rest stays', () => {
  assert.equal(visible('a\nb\t\u001b[31mred\0\u007f'), 'a\u240ab\u2409\u241b[31mred\u2400\u2421');
  assert.equal(visible('\u009b2J \u202eevil\u2066 \u2028'), '\\u009b2J \\u202eevil\\u2066 \\u2028');
  assert.equal(visible('naïve 日本 👩‍🚀 "quoted"'), 'naïve 日本 👩‍🚀 "quoted"');
});
