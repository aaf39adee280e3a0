import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrder } from './in-order.ts';

test('results come in the order of the items, and never more than the limit are under way', async () => {
  let underWay = 0;
  let most = 0;
  const work = async (item: number) => {
    most = Math.max(most, ++underWay);
    for (let turn = 0; turn < item % 4; turn++) await Promise.resolve();
    underWay--;
    return item * 2;
  };
  const results: number[] = [];
  for await (const result of inOrder([5, 3, 4, 1, 2, 0, 7], 3, work)) results.push(result);
  assert.deepEqual(results, [10, 6, 8, 2, 4, 0, 14]);
  assert.ok(most <= 3, `${most} were under way`);
});

test('the failure of an item is that of its place', async () => {
  const results: number[] = [];
  await assert.rejects(async () => {
    const work = async (item: number) => (item === 2 ? Promise.reject(new Error('two')) : item);
    for await (const result of inOrder([1, 2, 3], 8, work)) results.push(result);
  }, /two/);
  assert.deepEqual(results, [1]);
});
