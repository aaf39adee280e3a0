import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from './sha256.ts';

test('the hash is that of every other program, at every length around a block', () => {
  assert.equal(sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  for (const length of [1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 5000]) {
    const text = 'é☃x😀'.repeat(length).slice(0, length);
    assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'), `length ${length}`);
  }
});
