import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairOrders } from './pair-orders.ts';

const take = (seed: number, count: number) => {
  const orders = pairOrders(seed);
  return Array.from({ length: count }, () => orders.next().value);
};

test('the same seed gives the same orders, another seed others', () => {
  assert.deepEqual(take(42, 100), take(42, 100));
  assert.notDeepEqual(take(42, 100), take(43, 100));
});

test('each block of two holds both orders', () => {
  const orders = take(7, 2000);
  for (let index = 0; index < orders.length; index += 2) assert.notEqual(orders[index], orders[index + 1]);
});

test('which order comes first in a block is drawn', () => {
  const firsts = take(7, 2000).filter((_, index) => index % 2 === 0);
  const share = firsts.filter((order) => order === 'AB').length / firsts.length;
  assert.ok(share > 0.45 && share < 0.55, `${share}`);
});
