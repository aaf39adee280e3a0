import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wilsonShare } from './wilson.ts';

test('the interval of none and of all stays within 0 and 1', () => {
  assert.equal(wilsonShare(0, 0), undefined);
  assert.deepEqual([wilsonShare(0, 3)?.low, wilsonShare(3, 3)?.high], [0, 1]);
});
