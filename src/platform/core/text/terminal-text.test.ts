import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSequences } from './terminal-text.ts';

test('colours, movements and titles are taken away, the text stays', () => {
  assert.equal(withoutSequences('\u001b[1;31mred\u001b[0m \u001b[2Kx\u001b]0;title\u0007y'), 'red xy');
  assert.equal(withoutSequences('<b>\u001b[no end'), '<b>o end');
  assert.equal(withoutSequences('plain'), 'plain');
});
