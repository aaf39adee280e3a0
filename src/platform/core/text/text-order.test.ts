import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareNaturally, compareSettingValues, inNaturalOrder } from './text-order.ts';

test('numbers inside of texts are ordered by size', () => {
  const versions = ['1.10.0', '1.2.0', 'run-10', 'run-2', 'run-02', '9'];
  assert.deepEqual([...versions].sort(compareNaturally), [
    '1.2.0',
    '1.10.0',
    '9',
    'run-02',
    'run-2',
    'run-10',
  ]);
});

test('values of mixed types have an order, and null comes last', () => {
  const values = [null, 'x', 16, true, 4, [2], '10', '9'];
  const sorted = [4, 16, '9', '10', 'x', true, [2], null];
  assert.deepEqual([...values].sort(compareSettingValues), sorted);
  assert.deepEqual(
    inNaturalOrder(values, (value) => value),
    sorted,
  );
});
