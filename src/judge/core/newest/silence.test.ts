import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSilent } from './silence.ts';

const days = (first: number, end: number) => Array.from({ length: end - first }, (_, day) => first + day);

test('it is silent after three times its pace, if the home went on meanwhile', () => {
  assert.equal(isSilent({ times: days(0, 5), others: days(0, 7) }), false);
  assert.equal(isSilent({ times: days(0, 5), others: days(0, 8) }), true);
  assert.equal(isSilent({ times: [0, 7, 14], others: days(0, 34) }), false);
  assert.equal(isSilent({ times: [0, 7, 14], others: days(0, 36) }), true);
  assert.equal(isSilent({ times: days(0, 5), others: [100] }), false);
});

test('its longest pause is doubled first, and what came once is not waited for', () => {
  assert.equal(isSilent({ times: [0, 1, 2, 12, 13], others: days(0, 32) }), false);
  assert.equal(isSilent({ times: [0, 1, 2, 12, 13], others: days(0, 34) }), true);
  assert.equal(isSilent({ times: [3, 3], others: days(0, 100) }), false);
});

test('what stopped long before all that is looked at is forgotten', () => {
  assert.equal(isSilent({ times: days(0, 5), others: days(400, 440) }), false);
  assert.equal(isSilent({ times: days(0, 5), others: days(400, 420) }), true);
});
