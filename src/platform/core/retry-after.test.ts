import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test('seconds and dates are understood, within two minutes', () => {
  assert.equal(retryAfterMs('3', now), 3_000);
  assert.equal(retryAfterMs(' 0 ', now), 0);
  assert.equal(retryAfterMs('999999999', now), 120_000);
  assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now), 30_000);
  assert.equal(retryAfterMs('Wed, 31 Dec 2025 23:00:00 GMT', now), 0);
});

test('anything else says nothing', () => {
  for (const odd of [undefined, '', 'soon', '-1', '1.5', 'Thu, 99 Foo', '1e9'])
    assert.equal(retryAfterMs(odd, now), undefined, odd);
});
