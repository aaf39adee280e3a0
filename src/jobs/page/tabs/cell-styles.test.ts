import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellStyles, valueText } from './cell-styles.ts';

test('numbers that differ stand on a scale by rank, equal ones alike', () => {
  const looks = cellStyles({ values: [0.1, 0.001, 0.01, 0.001], isEqual: false });
  assert.deepEqual(
    looks.map((look) => (look.type === 'scale' ? look.part : look.type)),
    [1, 0, 0.5, 0],
  );
});

test('other values are categories in the order in which they come', () => {
  const values = ['sgd', 'adam', 'sgd', { b: 1, a: 2 }, { a: 2, b: 1 }, 1];
  assert.deepEqual(
    cellStyles({ values, isEqual: false }).map((look) => (look.type === 'category' ? look.place : look.type)),
    [0, 1, 0, 2, 2, 3],
  );
});

test('a missing key has no colour, and is not null', () => {
  assert.deepEqual(
    cellStyles({ values: [null, null, 5], missing: [1], isEqual: false }).map(({ type }) => type),
    ['category', 'missing', 'category'],
  );
});

test('equal rows are plain', () => {
  assert.deepEqual(cellStyles({ values: [1, 1], isEqual: true }), [{ type: 'plain' }, { type: 'plain' }]);
});

test('booleans are ticks and crosses, texts are as they are', () => {
  assert.deepEqual([true, false, 'a', 1, null, [1]].map(valueText), ['✓', '✕', 'a', '1', 'null', '[1]']);
});
