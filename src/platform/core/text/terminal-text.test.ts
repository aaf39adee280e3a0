import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible, withoutSequences } from './terminal-text.ts';

test('control characters and marks of direction become visible, the rest stays', () => {
  assert.equal(visible('a\nb\t\u001b[31mred\0\u007f'), 'a\u240ab\u2409\u241b[31mred\u2400\u2421');
  assert.equal(visible('\u009b2J \u202eevil\u2066 \u2028'), '\\u009b2J \\u202eevil\\u2066 \\u2028');
  assert.equal(visible('naïve 日本 👩‍🚀 "quoted"'), 'naïve 日本 👩‍🚀 "quoted"');
});

test('colours, movements and titles are taken away, the text stays', () => {
  assert.equal(withoutSequences('\u001b[1;31mred\u001b[0m \u001b[2Kx\u001b]0;title\u0007y'), 'red xy');
  assert.equal(withoutSequences('<b>\u001b[no end'), '<b>o end');
  assert.equal(withoutSequences('plain'), 'plain');
});
