import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEstimate } from './estimate-remaining.ts';

test('each waiting test takes as long as the middle one of its experiment, or of all', () => {
  const estimate = createEstimate();
  for (const name of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) estimate.expect(name);
  assert.equal(estimate.remainingMs(1), undefined);
  for (const ms of [10, 1000, 20]) estimate.finish('a', ms);
  assert.equal(estimate.remainingMs(1), 80); // one a, two b, one c
  estimate.finish('b', 500);
  estimate.forget('c');
  assert.equal(estimate.remainingMs(1), 520); // one a, one b
  assert.equal(estimate.remainingMs(2), 260);
  assert.equal(estimate.remainingMs(8), 260, 'more jobs than tests do not help');
});
